#!/bin/sh
# Answers the form of the ticket server in the place of a person.
echo '{"hookSpecificOutput": {"action": "accept", "content": {"priority": "high"}}}'
