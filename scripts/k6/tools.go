//go:build tools

// Keeps k6 in this module's graph, so that go.mod and go.sum pin what `go build go.k6.io/k6/v2` compiles.
package tools

import _ "go.k6.io/k6/v2"
