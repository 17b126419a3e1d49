package lws

import (
	"maps"
	"strconv"
)

func itoa(number int32) string { return strconv.Itoa(int(number)) }

// merged is a new map with all entries; a later map wins.
func merged(all ...map[string]string) map[string]string {
	result := map[string]string{}
	for _, one := range all {
		maps.Copy(result, one)
	}
	return result
}
