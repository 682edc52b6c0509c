import { expect, test } from 'vitest';
import { bodyKind } from '../../../../src/inspect';

test.each([
  ['empty', '', 'application/json'],
  ['empty', ' \r\n', ''],
  ['json', '{"a":1}', 'text/plain'],
  ['json', '[\n{"a":1}\n]', ''],
  ['json', '{"a":1}\n', 'application/x-ndjson'],
  ['events', 'data: {"a":1}\n\n', 'text/plain'],
  ['events', ': ping\n\n', ''],
  ['events', '\nevent: x\n\n', ''],
  ['events', 'half an event', 'text/event-stream'],
  ['lines', '{"a":1}\n{"a":2}\n', 'application/x-ndjson'],
  ['lines', '{"a":1}\n{"a', ''],
  ['lines', '{"a', 'application/x-ndjson'],
  ['html', '<!DOCTYPE html>\n<p>502', 'application/json'],
  ['html', 'Bad gateway', 'text/html; charset=utf-8'],
  ['text', 'Not Found', 'text/plain'],
  ['text', '{"a', 'application/json'],
  ['text', '<tool_call>{}</tool_call>', ''],
] as const)('a body is %s: %j with the type %s', (kind, text, type) => {
  expect(bodyKind(text, type)).toBe(kind);
});

const LONG = 'x'.repeat(1_000_000);

test.each([
  ['json', `{"a":"${LONG}"}\n`],
  ['json', `[\n  {"a":"${LONG}"},\n  {"a":1}\n]`],
  ['lines', `{"a":"${LONG}"}\n{"a":2}\n`],
  ['lines', `{"a":1}\r\n{"a":"${LONG}"}\r\n`],
  ['text', `{"a":"${LONG}`],
  ['text', LONG],
] as const)('a long body is %s by its ends and its lines, without being parsed', (kind, text) => {
  expect(bodyKind(text, kind === 'lines' ? 'application/x-ndjson' : '')).toBe(kind);
});
