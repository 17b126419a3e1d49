# Manual pages and shell completions, printed by the program itself: toposeg_pages(PROGRAM COMMANDS names…).
function(toposeg_pages program)
  cmake_parse_arguments(PAGES "" "" "COMMANDS" ${ARGN})
  set(folder ${PROJECT_BINARY_DIR}/pages)
  file(MAKE_DIRECTORY ${folder})
  set(pages)
  foreach(command IN LISTS PAGES_COMMANDS ITEMS "")
    string(JOIN "-" name ${program} ${command})
    add_custom_command(OUTPUT ${folder}/${name}.1
      COMMAND ${program} man ${command} > ${folder}/${name}.1 DEPENDS ${program} VERBATIM)
    list(APPEND pages ${folder}/${name}.1)
  endforeach()
  foreach(shell bash zsh fish)
    add_custom_command(OUTPUT ${folder}/${program}.${shell}
      COMMAND ${program} completion ${shell} > ${folder}/${program}.${shell} DEPENDS ${program} VERBATIM)
  endforeach()
  add_custom_target(${program}_pages ALL
    DEPENDS ${pages} ${folder}/${program}.bash ${folder}/${program}.zsh ${folder}/${program}.fish)
  install(FILES ${pages} DESTINATION share/man/man1)
  install(FILES ${folder}/${program}.bash DESTINATION share/bash-completion/completions RENAME ${program})
  install(FILES ${folder}/${program}.zsh DESTINATION share/zsh/site-functions RENAME _${program})
  install(FILES ${folder}/${program}.fish DESTINATION share/fish/vendor_completions.d)
endfunction()
