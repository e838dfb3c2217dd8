import { expect, it } from 'vitest';
import { detectHerdr, paneMarker } from './detect.ts';

const inPane = { HERDR_ENV: '1', HERDR_PANE_ID: 'w1:p1', HERDR_BIN_PATH: '/opt/herdr' };

it('finds the pane when all three variables are there', () => {
  expect(detectHerdr(inPane)).toEqual({ id: 'w1:p1', program: '/opt/herdr' });
});

it.each([
  ['HERDR_ENV is missing [codey.herdr.needs-herdr-env]', { HERDR_ENV: undefined }],
  ['HERDR_ENV is not exactly 1 [codey.herdr.needs-herdr-env]', { HERDR_ENV: 'true' }],
  ['HERDR_PANE_ID is missing [codey.herdr.needs-pane-id]', { HERDR_PANE_ID: undefined }],
  ['HERDR_PANE_ID is empty [codey.herdr.needs-pane-id]', { HERDR_PANE_ID: '' }],
  ['HERDR_BIN_PATH is missing [codey.herdr.needs-bin-path]', { HERDR_BIN_PATH: undefined }],
  ['HERDR_BIN_PATH is empty [codey.herdr.needs-bin-path]', { HERDR_BIN_PATH: '' }],
])('finds no pane when %s', (_name, change) => {
  expect(detectHerdr({ ...inPane, ...change })).toBeUndefined();
  expect(paneMarker({ ...inPane, ...change }, 's1')).toEqual({});
});

it('marks children with the pane of their session', () => {
  expect(paneMarker(inPane, 's1')).toEqual({ CODEY_SESSION_MARKER: 's1', CODEY_SESSION_PANE: 'w1:p1' });
});
