// Vectors prints trees, proofs and a signed note as Go's own libraries make them, for the tests to compare with.
// Run: GO111MODULE=off GOPATH=/usr/share/gocode go run main.go
package main

import (
	"encoding/hex"
	"encoding/json"
	"os"
	"strconv"

	"golang.org/x/mod/sumdb/tlog"
)

type tree struct {
	Name        string              `json:"name"`
	Leaves      []string            `json:"leaves"`
	Root        string              `json:"root"`
	Inclusion   map[string][]string `json:"inclusion"`
	Consistency map[string][]string `json:"consistency"`
}

func must(err error) {
	if err != nil {
		panic(err)
	}
}

func spell(hashes []tlog.Hash) []string {
	spelled := []string{}
	for _, each := range hashes {
		spelled = append(spelled, hex.EncodeToString(each[:]))
	}
	return spelled
}

func build(name string, leaves [][]byte) tree {
	var stored []tlog.Hash
	read := tlog.HashReaderFunc(func(places []int64) ([]tlog.Hash, error) {
		found := make([]tlog.Hash, len(places))
		for i, place := range places {
			found[i] = stored[place]
		}
		return found, nil
	})
	made := tree{Name: name, Inclusion: map[string][]string{}, Consistency: map[string][]string{}}
	for number, leaf := range leaves {
		fresh, err := tlog.StoredHashes(int64(number), leaf, read)
		must(err)
		stored = append(stored, fresh...)
		made.Leaves = append(made.Leaves, hex.EncodeToString(leaf))
	}
	size := int64(len(leaves))
	root, err := tlog.TreeHash(size, read)
	must(err)
	made.Root = hex.EncodeToString(root[:])
	for number := int64(0); number < size; number++ {
		path, err := tlog.ProveRecord(size, number, read)
		must(err)
		made.Inclusion[strconv.FormatInt(number, 10)] = spell(path)
		proof, err := tlog.ProveTree(size, number+1, read)
		must(err)
		made.Consistency[strconv.FormatInt(number+1, 10)] = spell(proof)
	}
	return made
}

func main() {
	var known [][]byte
	for _, text := range []string{
		"", "00", "10", "2021", "3031", "40414243", "5051525354555657", "606162636465666768696a6b6c6d6e6f",
	} {
		leaf, err := hex.DecodeString(text)
		must(err)
		known = append(known, leaf)
	}
	trees := []tree{}
	for size := 1; size <= len(known); size++ {
		trees = append(trees, build("reference-"+strconv.Itoa(size), known[:size]))
	}
	var more [][]byte
	for number := 0; number < 37; number++ {
		more = append(more, []byte("leaf "+strconv.Itoa(number)))
	}
	trees = append(trees, build("leaves-37", more))
	must(json.NewEncoder(os.Stdout).Encode(trees))
}
