#include "webhook/server/head.h"

#include "unit/catch.h"

namespace toposeg::webhook {
namespace {

using std::chrono::milliseconds;

const HeadRules kHttps{.method = "POST", .body = true};
const HeadRules kPlain{.method = "GET", .body = false};

std::string head(const std::string& line, const std::string& fields) {
  return line + "\r\nHost: localhost\r\n" + fields + "\r\n";
}
std::string posted(const std::string& fields) { return head("POST /v1/pods?timeout=5s HTTP/1.1", fields); }

// The status of the refusal with its reason, "taken" when there is none.
std::string verdict(const std::string& text, const HeadRules& rules = kHttps) {
  const auto parsed = parse_head(text, rules);
  if (parsed) return "taken";
  return std::to_string(text_of(parsed.error()).status) + " " + std::string(text_of(parsed.error()).reason);
}

const std::string kJson = "Content-Type: application/json\r\nContent-Length: 5\r\n";

TEST_CASE("what_an_api_server_sends_is_taken") {
  const auto parsed = parse_head(
      posted("User-Agent: kube-apiserver-admission\r\nContent-Length: 17\r\nAccept: application/json, */*\r\n"
             "Content-Type: application/json\r\nTraceparent: "
             "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01\r\n"
             "Accept-Encoding: gzip\r\n"),
      kHttps);
  REQUIRE(parsed);
  CHECK(parsed->path() == "/v1/pods");
  CHECK(parsed->target == "/v1/pods?timeout=5s");
  CHECK(parsed->content_length == 17);
  CHECK(parsed->keep_alive);
  CHECK_FALSE(parsed->expects_continue);
  CHECK(parsed->trace_parent == "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01");
}

TEST_CASE("each_fault_of_a_request_line_has_its_own_status") {
  CHECK(verdict(head("POST / HTTP/1.1", kJson)) == "taken");
  CHECK(verdict(head("GET / HTTP/1.1", kJson)) == "405 method");
  CHECK(verdict(head("POST / HTTP/2.0", kJson)) == "505 http_version");
  CHECK(verdict(head("POST / HTTP/1.1 ", kJson)) == "400 malformed");
  CHECK(verdict(head("POST /a b HTTP/1.1", kJson)) == "400 malformed");
  CHECK(verdict(head("POST  / HTTP/1.1", kJson)) == "400 malformed");
  CHECK(verdict(head("POST http://localhost/ HTTP/1.1", kJson)) == "400 malformed");
  CHECK(verdict(head("POST * HTTP/1.1", kJson)) == "400 malformed");
  CHECK(verdict(head("PO(ST / HTTP/1.1", kJson)) == "400 malformed");
  CHECK(verdict(head("POST /\x01 HTTP/1.1", kJson)) == "400 malformed");
  CHECK(verdict(head("hello", kJson)) == "400 malformed");
  CHECK(verdict(head("POST /" + std::string(4096, 'a') + " HTTP/1.1", kJson)) == "414 target_too_long");
}

TEST_CASE("a_body_needs_an_exact_length_that_nothing_contradicts") {
  const std::string type = "Content-Type: application/json\r\n";
  CHECK(verdict(posted(type)) == "411 no_length");
  CHECK(verdict(posted(type + "Content-Length: 0\r\n")) == "taken");
  CHECK(verdict(posted(type + "Content-Length: 7340032\r\n")) == "taken");
  CHECK(verdict(posted(type + "Content-Length: 7340033\r\n")) == "413 body_too_large");
  CHECK(verdict(posted(type + "Content-Length: 99999999999999999999999\r\n")) == "413 body_too_large");
  for (const char* length : {"", "-1", "+5", "5,5", "0x5", "5 5", "5.0", "five"}) {
    CHECK(verdict(posted(type + "Content-Length: " + length + "\r\n")) == "400 malformed");
  }
  CHECK(verdict(posted(kJson + "Content-Length: 5\r\n")) == "400 malformed");
  CHECK(verdict(posted(kJson + "content-length: 6\r\n")) == "400 malformed");
  CHECK(verdict(posted(type + "Transfer-Encoding: chunked\r\n")) == "501 transfer_encoding");
  CHECK(verdict(posted(kJson + "Transfer-Encoding: chunked\r\n")) == "400 malformed");
}

TEST_CASE("only_json_that_is_not_compressed_is_taken") {
  const std::string length = "Content-Length: 5\r\n";
  CHECK(verdict(posted(length + "Content-Type: Application/JSON; charset=utf-8\r\n")) == "taken");
  CHECK(verdict(posted(kJson + "Content-Encoding: identity\r\n")) == "taken");
  CHECK(verdict(posted(kJson + "Content-Encoding: gzip\r\n")) == "415 content_encoding");
  CHECK(verdict(posted(length)) == "415 content_type");
  CHECK(verdict(posted(length + "Content-Type: application/jsonx\r\n")) == "415 content_type");
  CHECK(verdict(posted(length + "Content-Type: multipart/form-data; boundary=x\r\n")) == "415 content_type");
  CHECK(verdict(posted(kJson + "Content-Type: application/json\r\n")) == "400 malformed");
}

TEST_CASE("fields_that_two_readers_could_understand_differently_are_refused") {
  CHECK(verdict(posted(kJson + "X-Tab:\ta\tb \r\n")) == "taken");
  CHECK(verdict(posted(kJson + "X : a\r\n")) == "400 malformed");
  CHECK(verdict(posted(kJson + " folded\r\n")) == "400 malformed");
  CHECK(verdict(posted(kJson + "no colon\r\n")) == "400 malformed");
  CHECK(verdict(posted(kJson + ": empty\r\n")) == "400 malformed");
  CHECK(verdict(posted(kJson + "X: a\rb\r\n")) == "400 malformed");
  CHECK(verdict(posted(kJson + std::string("X: a\0b\r\n", 8))) == "400 malformed");
  CHECK(verdict(posted(kJson + "Host: other\r\n")) == "400 malformed");
  CHECK(verdict("POST / HTTP/1.1\r\n" + kJson + "\r\n") == "400 malformed");
  CHECK(verdict("POST / HTTP/1.0\r\n" + kJson + "\r\n") == "taken");
}

TEST_CASE("the_number_of_fields_is_limited") {
  std::string fields = kJson;
  for (int i = 0; i < 97; ++i) fields += "X: a\r\n";
  CHECK(verdict(posted(fields)) == "taken");
  CHECK(verdict(posted(fields + "X: a\r\n")) == "431 header_too_large");
}

TEST_CASE("expectations_other_than_continue_are_refused") {
  CHECK(parse_head(posted(kJson + "Expect: 100-Continue\r\n"), kHttps)->expects_continue);
  CHECK_FALSE(
      parse_head(posted("Content-Type: application/json\r\nContent-Length: 0\r\nExpect: 100-continue\r\n"),
                 kHttps)
          ->expects_continue);
  CHECK(verdict(posted(kJson + "Expect: tea\r\n")) == "417 expectation");
}

TEST_CASE("a_connection_stays_as_the_client_and_its_version_say") {
  const auto stays = [](const std::string& line, const std::string& fields) {
    return parse_head(head(line, kJson + fields), kHttps)->keep_alive;
  };
  CHECK(stays("POST / HTTP/1.1", ""));
  CHECK_FALSE(stays("POST / HTTP/1.1", "Connection: close\r\n"));
  CHECK_FALSE(stays("POST / HTTP/1.1", "Connection: x, Close\r\n"));
  CHECK_FALSE(stays("POST / HTTP/1.0", ""));
  CHECK(stays("POST / HTTP/1.0", "Connection: Keep-Alive\r\n"));
  CHECK_FALSE(stays("POST / HTTP/1.0", "Connection: keep-alive, close\r\n"));
}

TEST_CASE("the_plain_port_takes_get_without_a_body") {
  CHECK(verdict(head("GET /livez HTTP/1.1", ""), kPlain) == "taken");
  CHECK(verdict(head("GET /livez HTTP/1.1", "Content-Length: 0\r\n"), kPlain) == "taken");
  CHECK(verdict(head("GET /livez HTTP/1.1", "Content-Length: 1\r\n"), kPlain) == "413 body_too_large");
  CHECK(verdict(head("POST /livez HTTP/1.1", kJson), kPlain) == "405 method");
}

TEST_CASE("the_end_of_a_head_is_found_however_it_is_cut") {
  const std::string whole = posted(kJson);
  for (std::size_t cut = 0; cut < whole.size(); ++cut) {
    std::size_t scanned = 0;
    REQUIRE(find_head_end(whole.substr(0, cut), scanned, kHttps).value() == 0);
    REQUIRE(find_head_end(whole + "body", scanned, kHttps).value() == whole.size());
  }
}

TEST_CASE("a_head_that_is_too_long_or_has_bare_line_ends_is_refused_early") {
  std::size_t scanned = 0;
  const std::string line = "POST / HTTP/1.1\r\nX: ";
  CHECK(find_head_end(line + std::string(16384 - line.size() - 1, 'a'), scanned, kHttps).value() == 0);
  CHECK(find_head_end(line + std::string(16384 - line.size(), 'a'), scanned, kHttps).error() ==
        Refusal::kHeaderTooLarge);
  scanned = 0;
  CHECK(find_head_end("POST / HTTP/1.1\nHost: x\n\n", scanned, kHttps).error() == Refusal::kMalformed);
  scanned = 0;
  CHECK(find_head_end("\n", scanned, kHttps).error() == Refusal::kMalformed);
}

TEST_CASE("the_time_limit_is_the_callers_less_a_tenth") {
  CHECK(timeout_of("/v1/pods?timeout=5s") == milliseconds(4500));
  CHECK(timeout_of("/v1/pods?x=1&timeout=500ms") == milliseconds(450));
  CHECK(timeout_of("/v1/pods?timeout=1m") == milliseconds(27'000));
  CHECK(timeout_of("/v1/pods?timeout=1m0s") == milliseconds(27'000));
  CHECK(timeout_of("/v1/pods?timeout=0s") == milliseconds(1));
  for (const char* query :
       {"", "?", "?timeout", "?timeout=", "?timeout=x", "?timeout=-5s", "?timeout=5", "?a=5s"}) {
    CHECK(timeout_of(std::string("/v1/pods") + query) == milliseconds(9000));
  }
}

TEST_CASE("a_refusal_is_a_whole_answer") {
  CHECK(answer_of(Refusal::kWrongMethod, "POST", true) ==
        "HTTP/1.1 405 Method Not Allowed\r\nContent-Type: text/plain\r\nContent-Length: 31\r\nAllow: POST\r\n"
        "Connection: close\r\n\r\nthis method is not served here\n");
  CHECK(answer_of(Refusal::kBusy, "POST", false) ==
        "HTTP/1.1 429 Too Many Requests\r\nContent-Type: text/plain\r\nContent-Length: 30\r\nRetry-After: "
        "1\r\n\r\n"
        "too many requests are waiting\n");
}

}  // namespace
}  // namespace toposeg::webhook
