#!/usr/bin/env node
// The same program under its other name.
'use strict';

require('./codey.js');
