//go:build tools

// Keeps kustomize in this module's graph, so that go.mod and go.sum pin what `go build` compiles.
package tools

import _ "sigs.k8s.io/kustomize/kustomize/v5"
