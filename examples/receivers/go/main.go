// Receiver of webhooks for Go 1.19 or newer, using only the standard library:
//
//	WEBHOOK_SECRET=whsec_… PORT=3000 go run .
package main

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	"os"
	"strconv"
	"strings"
	"sync"
	"time"
	"unicode/utf8"
)

// Any client can send to this address, so do not buffer more of a body than an event needs.
const maxBodyBytes = 1 << 20

// Old requests are rejected, so that they can't be replayed. The tolerance allows for small clock
// differences.
const tolerance = 5 * time.Minute

// Webhook is an event that the service sends. The fields of Event depend on type and action.
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
	// The key is the part after the prefix, decoded from base64.
	key, err := base64.StdEncoding.DecodeString(strings.TrimPrefix(secret, "whsec_"))
	if err != nil {
		log.Fatal("WEBHOOK_SECRET is not as the service showed it")
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
		Handler:     &receiver{key: key, seen: map[string]bool{}},
		ReadTimeout: 15 * time.Second,
	}
	log.Fatal(server.Serve(listener))
}

type receiver struct {
	key    []byte
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
	webhook, err := verified(body, request.Header, r.key)
	if err != nil {
		http.Error(w, err.Error(), http.StatusForbidden)
		return
	}
	if r.isNew(webhook.EventID) {
		// Put slow work into a queue: the service waits 15 seconds for the response.
		fmt.Printf("%s/%s %s\n", webhook.EventType, webhook.EventAction, webhook.EventID)
	}
	fmt.Fprintln(w, "OK")
}

// verified returns the event, or an error if it is not from the service or is too old.
func verified(body []byte, headers http.Header, key []byte) (*Webhook, error) {
	id, timestamp := headers.Get("webhook-id"), headers.Get("webhook-timestamp")
	sentAt, err := strconv.ParseUint(timestamp, 10, 40)
	if err != nil {
		return nil, errors.New("no timestamp")
	}
	away := time.Since(time.Unix(int64(sentAt), 0))
	if away > tolerance || away < -tolerance {
		return nil, errors.New("an old request")
	}
	mac := hmac.New(sha256.New, key)
	mac.Write([]byte(id + "." + timestamp + "."))
	mac.Write(body)
	expected := "v1," + base64.StdEncoding.EncodeToString(mac.Sum(nil))
	isSigned := false
	// During a rotation there are two signatures, separated by a space.
	for _, signature := range strings.SplitN(headers.Get("webhook-signature"), " ", 16) {
		// Compares in constant time.
		isSigned = hmac.Equal([]byte(expected), []byte(signature)) || isSigned
	}
	if !isSigned {
		return nil, errors.New("wrong signature")
	}
	var webhook Webhook
	if err := json.Unmarshal(body, &webhook); err != nil || webhook.EventID != id || !utf8.Valid(body) {
		return nil, errors.New("not an event")
	}
	return &webhook, nil
}

const maxSeen = 1_000

// isNew reports whether an event is new; an event can arrive twice. It forgets the oldest events, and all of them
// when the process ends; a real receiver records processed events in its database, in the transaction that
// processes them.
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
