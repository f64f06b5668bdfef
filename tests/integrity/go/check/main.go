// Check verifies with Go's own libraries what Razbor signed and proved; it reads a case from standard input.
// Run: GO111MODULE=off GOPATH=/usr/share/gocode go run main.go < case.json
package main

import (
	"encoding/hex"
	"encoding/json"
	"fmt"
	"os"
	"strings"

	"golang.org/x/mod/sumdb/note"
	"golang.org/x/mod/sumdb/tlog"
)

type signed struct {
	Note string `json:"note"`
}

type inclusion struct {
	Header string   `json:"header"`
	Index  int64    `json:"index"`
	Proof  []string `json:"proof"`
}

type growth struct {
	Old   int64    `json:"old"`
	Root  string   `json:"root"`
	Proof []string `json:"proof"`
}

type given struct {
	Key        string      `json:"key"`
	Secret     string      `json:"secret"`
	Note       string      `json:"note"`
	Inclusions []inclusion `json:"inclusions"`
	Growths    []growth    `json:"growths"`
}

func must(err error) {
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func hash(text string) tlog.Hash {
	var found tlog.Hash
	data, err := hex.DecodeString(text)
	must(err)
	copy(found[:], data)
	return found
}

func hashes(texts []string) []tlog.Hash {
	found := []tlog.Hash{}
	for _, each := range texts {
		found = append(found, hash(each))
	}
	return found
}

// checkpoint opens the note and gives the tree it speaks of.
func checkpoint(told given) tlog.Tree {
	verifier, err := note.NewVerifier(told.Key)
	must(err)
	opened, err := note.Open([]byte(told.Note), note.VerifierList(verifier))
	must(err)
	lines := strings.Split(opened.Text, "\n")
	if len(lines) != 4 || lines[0] != verifier.Name() || lines[3] != "" {
		must(fmt.Errorf("not a checkpoint of %s", verifier.Name()))
	}
	var tree tlog.Tree
	_, err = fmt.Sscanf(lines[1], "%d", &tree.N)
	must(err)
	tree.Hash, err = tlog.ParseHash(lines[2])
	must(err)
	return tree
}

func main() {
	var told given
	must(json.NewDecoder(os.Stdin).Decode(&told))
	tree := checkpoint(told)
	for _, each := range told.Inclusions {
		header, err := hex.DecodeString(each.Header)
		must(err)
		must(tlog.CheckRecord(hashes(each.Proof), tree.N, tree.Hash, each.Index, tlog.RecordHash(header)))
	}
	for _, each := range told.Growths {
		must(tlog.CheckTree(hashes(each.Proof), tree.N, tree.Hash, each.Old, hash(each.Root)))
	}
	signer, err := note.NewSigner(told.Secret)
	must(err)
	again, err := note.Sign(&note.Note{Text: told.Note[:strings.Index(told.Note, "\n\n")+1]}, signer)
	must(err)
	must(json.NewEncoder(os.Stdout).Encode(signed{Note: string(again)}))
}
