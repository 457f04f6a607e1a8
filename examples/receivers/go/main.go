// A receiver of webhooks for Go 1.19 or newer, with the standard library alone:
//
//	WEBHOOK_SECRET=whsec_… PORT=3000 go run .
package main

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	"os"
	"sync"
	"time"
)

// Anybody can send to this address: do not keep more of a body than any event needs.
const maxBodyBytes = 1 << 20

// Webhook is what the service sends. Event stays as it was sent, because the signature is over its bytes and
// Go would write it differently: with the keys of a map sorted, and with escapes for <, >, & and U+2028.
type Webhook struct {
	EventID     string          `json:"eventId"`
	CreatedAt   string          `json:"createdAt"`
	EventType   string          `json:"eventType"`
	EventAction string          `json:"eventAction"`
	Event       json.RawMessage `json:"event"`
}

func main() {
	secret := os.Getenv("WEBHOOK_SECRET")
	if secret == "" {
		log.Fatal("WEBHOOK_SECRET is not set")
	}
	port := os.Getenv("PORT")
	if port == "" {
		port = "3000"
	}
	listener, err := net.Listen("tcp", ":"+port)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Printf("listening on port %d\n", listener.Addr().(*net.TCPAddr).Port)
	server := http.Server{
		Handler:     &receiver{secret: []byte(secret), seen: map[string]bool{}},
		ReadTimeout: 15 * time.Second,
	}
	log.Fatal(server.Serve(listener))
}

type receiver struct {
	secret []byte
	mutex  sync.Mutex
	seen   map[string]bool
	oldest []string
}

func (r *receiver) ServeHTTP(w http.ResponseWriter, request *http.Request) {
	if request.Method != http.MethodPost {
		http.Error(w, "POST only", http.StatusMethodNotAllowed)
		return
	}
	body, err := io.ReadAll(http.MaxBytesReader(w, request.Body, maxBodyBytes))
	if err != nil {
		http.Error(w, "too large, or broken off", http.StatusRequestEntityTooLarge)
		return
	}
	webhook, err := verified(body, request.Header.Get("x-webhook-signature-256"), r.secret)
	if err != nil {
		http.Error(w, err.Error(), http.StatusForbidden)
		return
	}
	if r.isNew(webhook.EventID) {
		// Slow work belongs in a queue: the service waits 15 seconds for the answer.
		fmt.Printf("%s/%s %s\n", webhook.EventType, webhook.EventAction, webhook.EventID)
	}
	fmt.Fprintln(w, "OK")
}

// verified returns the event, or an error when it is not from the service.
func verified(body []byte, signature string, secret []byte) (*Webhook, error) {
	var webhook Webhook
	if err := json.Unmarshal(body, &webhook); err != nil {
		return nil, errors.New("not an event")
	}
	// createdAt is UTC and does not say so; time.Parse reads a time without a zone as UTC.
	createdAt, err := time.Parse("2006-01-02 15:04:05.000000", webhook.CreatedAt)
	if err != nil {
		return nil, errors.New("not an event")
	}
	mac := hmac.New(sha256.New, secret)
	mac.Write([]byte(webhook.EventID))
	mac.Write([]byte(createdAt.Format("2006-01-02T15:04:05.000Z")))
	mac.Write(webhook.Event)
	expected := "sha256=" + hex.EncodeToString(mac.Sum(nil))
	// Takes the same time wherever the two differ.
	if !hmac.Equal([]byte(expected), []byte(signature)) {
		return nil, errors.New("wrong signature")
	}
	return &webhook, nil
}

const maxSeen = 1_000

// isNew: an event can come twice. This forgets the oldest, and everything when the process ends: a real
// receiver records processed events in its database, in the transaction that processes them.
func (r *receiver) isNew(eventID string) bool {
	r.mutex.Lock()
	defer r.mutex.Unlock()
	if r.seen[eventID] {
		return false
	}
	r.seen[eventID] = true
	r.oldest = append(r.oldest, eventID)
	if len(r.oldest) > maxSeen {
		delete(r.seen, r.oldest[0])
		r.oldest = r.oldest[1:]
	}
	return true
}
