// Bifrost's core behind net/http: one route, one provider, no key, no limit, no money. Bifrost's own
// HTTP transport cannot be had as a Go module, so this stands in its place, and does no more than it
// must: read the call, ask the core, write its answer.
package main

import (
	"context"
	"encoding/json"
	"fmt"
	"log"
	"net"
	"net/http"
	"os"

	bifrost "github.com/maximhq/bifrost/core"
	"github.com/maximhq/bifrost/core/schemas"
)

// As many calls at once as any scenario has.
const concurrency = 512

type account struct{ baseURL string }

func (a account) GetConfiguredProviders() ([]schemas.ModelProvider, error) {
	return []schemas.ModelProvider{schemas.OpenAI}, nil
}

func (a account) GetKeysForProvider(*context.Context, schemas.ModelProvider) ([]schemas.Key, error) {
	return []schemas.Key{{Value: "none", Models: []string{}, Weight: 1}}, nil
}

func (a account) GetConfigForProvider(schemas.ModelProvider) (*schemas.ProviderConfig, error) {
	network := schemas.DefaultNetworkConfig
	network.BaseURL = a.baseURL
	network.MaxRetries = 0
	size := schemas.ConcurrencyAndBufferSize{Concurrency: concurrency, BufferSize: 2 * concurrency}
	return &schemas.ProviderConfig{NetworkConfig: network, ConcurrencyAndBufferSize: size}, nil
}

type chatRequest struct {
	Model     string                `json:"model"`
	MaxTokens int                   `json:"max_tokens"`
	Messages  []schemas.ChatMessage `json:"messages"`
}

func main() {
	if len(os.Args) != 3 {
		log.Fatal("usage: bifrost PORT UPSTREAM_URL")
	}
	core, err := bifrost.Init(context.Background(), schemas.BifrostConfig{
		Account: account{baseURL: os.Args[2]},
		Logger:  bifrost.NewDefaultLogger(schemas.LogLevelError),
	})
	if err != nil {
		log.Fatal(err)
	}
	http.HandleFunc("GET /", func(http.ResponseWriter, *http.Request) {})
	http.HandleFunc("POST /v1/chat/completions", func(w http.ResponseWriter, r *http.Request) {
		var asked chatRequest
		if err := json.NewDecoder(r.Body).Decode(&asked); err != nil {
			http.Error(w, err.Error(), http.StatusBadRequest)
			return
		}
		answer, failure := core.ChatCompletionRequest(r.Context(), &schemas.BifrostChatRequest{
			Provider: schemas.OpenAI,
			Model:    asked.Model,
			Input:    asked.Messages,
			Params:   &schemas.ChatParameters{MaxCompletionTokens: &asked.MaxTokens},
		})
		if failure != nil {
			w.WriteHeader(http.StatusBadGateway)
			json.NewEncoder(w).Encode(failure)
			return
		}
		w.Header().Set("content-type", "application/json")
		json.NewEncoder(w).Encode(answer)
	})
	listener, err := net.Listen("tcp", fmt.Sprintf("127.0.0.1:%s", os.Args[1]))
	if err != nil {
		log.Fatal(err)
	}
	log.Fatal(http.Serve(listener, nil))
}
