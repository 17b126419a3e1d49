"""What the demo, the integration tests and the benches share: the webhook as a process, reviews, operators' pods."""
