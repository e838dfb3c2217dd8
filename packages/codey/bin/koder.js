#!/usr/bin/env node
// The same program under its other name.
import './codey.js';
