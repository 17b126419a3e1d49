#include "engine/simulation/html_report.h"

#include <fmt/format.h>
#include <fmt/ostream.h>

#include <algorithm>
#include <functional>
#include <ostream>
#include <ranges>
#include <string>
#include <string_view>
#include <utility>

#include "engine/simulation/chart.h"
#include "engine/simulation/html_style.h"
#include "engine/simulation/words.h"

namespace toposeg::simulation {
namespace {

using Rows = std::vector<std::vector<std::string>>;

std::vector<std::string> names_of(const std::vector<Summary>& summaries) {
  std::vector<std::string> names;
  for (const Summary& summary : summaries) names.push_back(summary.policy);
  return names;
}

std::vector<std::string> size_names(const std::vector<Summary>& summaries) {
  std::vector<std::string> names;
  for (const SizeNumbers& size : summaries.front().sizes) {
    names.push_back(size.segment > 0 ? std::to_string(size.segment) : "none");
  }
  return names;
}

// What the marks mean; `mark` draws the one of each name, 26 by 12.
void write_legend(std::ostream& out, const std::vector<std::string>& names,
                  const std::function<std::string(std::size_t)>& mark) {
  out << "<ul class=\"legend\">";
  for (std::size_t i = 0; i < names.size(); ++i) {
    fmt::print(out, "<li><svg viewBox=\"0 0 26 12\" aria-hidden=\"true\">{}</svg>{}</li>", mark(i),
               markup_text(names[i]));
  }
  out << "</ul>\n";
}

std::string box(const std::string& style) {
  return fmt::format("<rect class=\"{}\" width=\"26\" height=\"12\"/>", style);
}

std::string bar_mark(std::size_t series) { return box(fmt::format("s{}", series)); }

std::string line_mark(std::size_t series) {
  return fmt::format("<polyline class=\"s{}\" points=\"0,6 26,6\"/>", series);
}

// The first column heads its row.
void write_table(std::ostream& out, std::string_view caption, const std::vector<std::string>& headings,
                 const Rows& rows) {
  fmt::print(out, "<div class=\"wide\"><table>\n<caption>{}</caption>\n<tr>", markup_text(caption));
  for (const std::string& heading : headings)
    fmt::print(out, "<th scope=\"col\">{}</th>", markup_text(heading));
  out << "</tr>\n";
  for (const std::vector<std::string>& row : rows) {
    fmt::print(out, "<tr><th scope=\"row\">{}</th>", markup_text(row.front()));
    for (std::size_t i = 1; i < row.size(); ++i) fmt::print(out, "<td>{}</td>", markup_text(row[i]));
    out << "</tr>\n";
  }
  out << "</table></div>\n";
}

void write_totals(std::ostream& out, const std::vector<Summary>& summaries) {
  Rows rows;
  for (const Summary& summary : summaries) {
    const Numbers& all = summary.all;
    rows.push_back({summary.policy, std::to_string(all.at_once), std::to_string(all.waited),
                    std::to_string(all.never), rough_time(all.mean_wait),
                    rough_time(static_cast<double>(all.p95_wait)), percent(summary.used),
                    rough_time(static_cast<double>(summary.end)), fmt::format("{:.3f}", all.mean_climbed),
                    all.lost ? percent(*all.lost) : ""});
  }
  write_table(out, "All jobs",
              {"policy", "at once", "waited", "never", "mean wait", "95% waited less than", "hosts used",
               "all ended after", "levels climbed", "slots lost"},
              rows);
}

// One line for each policy. `course` gives the quantity, a share.
void write_course(std::ostream& out, const ChartFrame& frame, const std::vector<Outcome>& outcomes,
                  Timeline Outcome::* course) {
  LineChart chart{frame, {}, {}, 1, rough_time, percent};
  double end = 1;
  for (const Outcome& outcome : outcomes) {
    const Timeline& timeline = outcome.*course;
    Line line{outcome.policy, {}};
    double middle = static_cast<double>(timeline.width()) / 2;
    for (const double mean : timeline.means()) {
      line.points.emplace_back(middle, mean);
      end = std::max(end, middle);
      middle += static_cast<double>(timeline.width());
    }
    chart.lines.push_back(std::move(line));
  }
  chart.ticks = time_ticks(end);
  fmt::print(out, "<section><h2>{}</h2>\n<p>{}</p>\n", markup_text(frame.title),
             markup_text(frame.description));
  write_chart(out, chart);
  std::vector<std::string> names;
  for (const Outcome& outcome : outcomes) names.push_back(outcome.policy);
  write_legend(out, names, line_mark);
  out << "</section>\n";
}

// One number of each policy and segment size, as bars and as a table.
struct SizeQuestion {
  ChartFrame frame;
  std::function<std::optional<double>(const Numbers&)> value;
  std::function<std::string(double)> text;
  bool share = true;  // the axis ends at 1
};

void write_by_size(std::ostream& out, const SizeQuestion& question, const std::vector<Summary>& summaries) {
  BarChart chart{question.frame, size_names(summaries), names_of(summaries), {}, 1, question.text};
  double most = 0;
  Rows rows;
  for (const Summary& summary : summaries) {
    std::vector<std::string>& row = rows.emplace_back(1, summary.policy);
    std::vector<std::optional<double>>& values = chart.values.emplace_back();
    for (const SizeNumbers& size : summary.sizes) {
      values.push_back(question.value(size.numbers));
      most = std::max(most, values.back().value_or(0));
      row.push_back(values.back() ? question.text(*values.back()) : "");
    }
  }
  if (!question.share) chart.y_most = rounded_up(most / 60) * 60;
  fmt::print(out, "<section><h2>{}</h2>\n", markup_text(question.frame.title));
  write_chart(out, chart);
  write_legend(out, chart.series, bar_mark);
  std::vector<std::string> headings{"policy"};
  for (const std::string& size : chart.groups) {
    headings.push_back(size == "none" ? "not segmented" : "segments of " + size);
  }
  write_table(out, question.frame.description, headings, rows);
  out << "</section>\n";
}

double share_of(std::int64_t part, std::int64_t whole) {
  return static_cast<double>(part) / static_cast<double>(whole);
}

std::vector<SizeQuestion> size_questions() {
  const auto as_percent = [](double share) { return percent(share); };
  return {
      {{"at-once", "Jobs that started at once, by segment size",
        "Share of the jobs that started when they arrived"},
       [](const Numbers& numbers) { return std::optional(share_of(numbers.at_once, numbers.jobs)); },
       as_percent},
      {{"wait", "Waiting time, by segment size", "Mean time from arrival to start, over jobs that started"},
       [](const Numbers& numbers) { return std::optional(numbers.mean_wait); },
       [](double seconds) { return rough_time(seconds); },
       false},
      {{"at-level", "Segments at the level they ask for, by segment size",
        "Share of the segments that one domain of the level they ask for holds"},
       [](const Numbers& numbers) {
         return numbers.with_goal == 0 ? std::nullopt
                                       : std::optional(share_of(numbers.at_goal, numbers.with_goal));
       },
       as_percent},
      {{"lost", "Slots lost to scattered hosts, by segment size",
        "Share of the segments that the free hosts would take in one piece but do not take as they lie"},
       [](const Numbers& numbers) { return numbers.lost; },
       as_percent},
  };
}

void write_levels(std::ostream& out, const Scenario& scenario, const std::vector<Summary>& summaries) {
  StackChart chart{{"levels", "Segments by the closest level that holds them",
                    "Share of all segments of jobs that started; the closest level first"},
                   names_of(summaries),
                   level_names(scenario.site),
                   {},
                   [](double share) { return percent(share); }};
  std::reverse(chart.parts.begin(), chart.parts.end());
  chart.parts.emplace_back("apart");
  Rows rows;
  for (const Summary& summary : summaries) {
    const auto whole = static_cast<double>(std::max<std::int64_t>(1, summary.all.segments));
    std::vector<double>& values = chart.values.emplace_back();
    double apart = static_cast<double>(summary.all.segments) / whole;
    for (const std::int64_t count : std::views::reverse(summary.all.by_level)) {
      values.push_back(static_cast<double>(count) / whole);
      apart -= values.back();
    }
    values.push_back(std::max(0.0, apart));
    std::vector<std::string>& row = rows.emplace_back(1, summary.policy);
    for (const double value : values) row.push_back(percent(value));
  }
  out << "<section><h2>Segments by the closest level that holds them</h2>\n";
  write_chart(out, chart);
  write_legend(out, chart.parts, [&](std::size_t part) { return box(part_style(part, chart.parts.size())); });
  std::vector<std::string> headings{"policy"};
  headings.insert(headings.end(), chart.parts.begin(), chart.parts.end());
  write_table(out, chart.frame.description, headings, rows);
  out << "</section>\n";
}

void write_timings(std::ostream& out, const std::vector<Summary>& summaries) {
  Rows rows;
  for (const Summary& summary : summaries) {
    const Timings& timings = summary.timings;
    rows.push_back({summary.policy, std::to_string(timings.decisions), fmt::format("{:.1f}", timings.mean),
                    fmt::format("{:.1f}", timings.p99), fmt::format("{:.1f}", timings.longest)});
  }
  out << "<section><h2>Time for a decision</h2>\n";
  write_table(out, "Microseconds, as measured in this run",
              {"policy", "decisions", "mean", "99% were faster than", "longest"}, rows);
  out << "</section>\n";
}

}  // namespace

void write_html_report(std::ostream& out, const Scenario& scenario, const std::vector<Outcome>& outcomes,
                       const std::vector<Summary>& summaries, bool timings) {
  fmt::print(out,
             "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
             "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
             "<meta name=\"color-scheme\" content=\"light dark\">\n"
             "<title>Placement policies compared</title>\n<style>\n{}</style>\n</head>\n<body>\n<main>\n"
             "<h1>Placement policies compared</h1>\n<p>{}. {}</p>\n",
             report_style(), markup_text(headline(scenario)),
             scenario.queue == Queue::kStrict ? "No job started before an older one."
                                              : "A job could start while an older one found no room.");
  write_totals(out, summaries);
  write_course(out,
               {"used", "Hosts used over time",
                "Share of the hosts free at the beginning that jobs hold, a line for each policy; the means "
                "stand in the first table."},
               outcomes, &Outcome::used_over_time);
  for (const SizeQuestion& question : size_questions()) write_by_size(out, question, summaries);
  if (!scenario.yardsticks.empty()) {
    write_course(
        out,
        {"lost-course", "Slots lost over time",
         "Mean over the segment sizes, a line for each policy: the share of the segments that the free "
         "hosts would take in one piece but do not take as they lie."},
        outcomes, &Outcome::lost_over_time);
  }
  write_levels(out, scenario, summaries);
  if (timings) write_timings(out, summaries);
  out << "</main>\n</body>\n</html>\n";
}

}  // namespace toposeg::simulation
