import { expect, it } from 'vitest';
import { findResponseId } from '../../../../src/inspect';

it.each([
  ['{"id":"resp_1a","object":"response"}', 'resp_1a'],
  ['{\n  "id": "resp_2b",\n  "object": "response"\n}', 'resp_2b'],
  ['event: response.created\ndata: {"type":"response.created","response":{"id":"resp_3c"}}\n\n', 'resp_3c'],
  ['{"id":"chatcmpl-1"}', undefined],
  ['{"id":"msg_1"}', undefined],
  [`${' '.repeat(1_000)}{"id":"resp_1a"}`, undefined],
  ['', undefined],
])('finds the id of a reply that can be continued: %j', (body, id) => {
  expect(findResponseId(body)).toBe(id);
});
