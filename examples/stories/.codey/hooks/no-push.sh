#!/bin/sh
echo 'pushes are done from CI' >&2
exit 2
