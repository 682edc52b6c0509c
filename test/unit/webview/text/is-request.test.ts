import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { isRequest } from '../../../../webview/text/is-request';

const FOLDER = 'test/fixtures/requests';
const CASES = JSON.parse(readFileSync(`${FOLDER}/cases.json`, 'utf8')) as { file: string }[];
/** Requests within a text that begins otherwise. */
const WITHIN = new Set([
  'openai-debug-log',
  'server-log-line',
  'litellm-log',
  'lm-studio-log',
  'log-escaped-json',
  'issue-curl-and-stream',
  'issue-two-fences',
  'issue-text-with-curl',
  'bash-pipe-jq',
  'windows-one-line',
]);

test.each(CASES.filter(({ file }) => !WITHIN.has(file)))('$file looks like a request', ({ file }) => {
  expect(isRequest(readFileSync(`${FOLDER}/${file}.txt`, 'utf8'))).toBe(true);
});

test.each([
  '',
  'What is curl?',
  'Explain this code: fetch(url)',
  '{"city": "Oslo"}',
  'POST this letter to Oslo',
  'curling is a sport',
])('%s does not', (text) => {
  expect(isRequest(text)).toBe(false);
});
