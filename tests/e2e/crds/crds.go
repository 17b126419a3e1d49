// Package crds holds the kinds that the tests define themselves, with the fields that the tests use. training-operator
// brings its own.
package crds

import "embed"

//go:embed *.yaml
var files embed.FS

// Manifests are all definitions as one YAML text.
func Manifests() (string, error) {
	entries, err := files.ReadDir(".")
	if err != nil {
		return "", err
	}
	var all string
	for _, entry := range entries {
		text, err := files.ReadFile(entry.Name())
		if err != nil {
			return "", err
		}
		all += "---\n" + string(text)
	}
	return all, nil
}
