#!/bin/sh
# Asks to be told when the plan changes.
echo '{"hookSpecificOutput": {"watchPaths": ["plan.txt"]}}'
