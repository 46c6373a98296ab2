// Renders a chart as Helm does: Go's text/template with sprig's functions, and include and required as Helm has them.
// Standard input: {"Values": …, "Release": …, "Chart": …} as JSON. Arguments: the files of templates/.
package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"log"
	"os"
	"path/filepath"
	"strings"
	"text/template"

	"github.com/Masterminds/sprig"
)

func main() {
	log.SetFlags(0)
	var given map[string]interface{}
	if err := json.NewDecoder(os.Stdin).Decode(&given); err != nil {
		log.Fatal(err)
	}
	chart := template.New("chart").Option("missingkey=zero")
	functions := sprig.TxtFuncMap()
	functions["include"] = func(name string, data interface{}) (string, error) {
		var text bytes.Buffer
		err := chart.ExecuteTemplate(&text, name, data)
		return text.String(), err
	}
	functions["required"] = func(why string, value interface{}) (interface{}, error) {
		if value == nil || value == "" {
			return nil, errors.New(why)
		}
		return value, nil
	}
	chart.Funcs(functions)
	for _, file := range os.Args[1:] {
		text, err := os.ReadFile(file)
		if err != nil {
			log.Fatal(err)
		}
		template.Must(chart.New(filepath.Base(file)).Parse(string(text)))
	}
	for _, file := range os.Args[1:] {
		name := filepath.Base(file)
		if strings.HasSuffix(name, ".tpl") {
			continue
		}
		var text bytes.Buffer
		if err := chart.ExecuteTemplate(&text, name, given); err != nil {
			log.Fatal(err)
		}
		if strings.TrimSpace(text.String()) != "" {
			fmt.Printf("---\n# %s\n%s", name, strings.TrimLeft(text.String(), "\n"))
		}
	}
}
