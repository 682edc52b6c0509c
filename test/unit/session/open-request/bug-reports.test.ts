// Requests as public bug reports have them: nothing of their bodies is lost without being said.
import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { PROVIDER_CATALOG } from '../../../../src/library';
import type { OpenedRequest } from '../../../../src/session/open-request';
import { findRequests, openedText, openRequest } from '../../../../src/session/open-request';

interface Case {
  file: string;
  /** What the text sends. */
  body: Record<string, unknown>;
  /** Whether the text has the reply, too. */
  reply?: boolean;
}

const FOLDER = 'test/fixtures/requests';
const CASES = JSON.parse(readFileSync(`${FOLDER}/cases.json`, 'utf8')) as Case[];

/** The values in a body that say something: a null, an empty list and the type of a part do not. */
function* leaves(value: unknown, path = ''): Generator<{ path: string; value: unknown }> {
  if (typeof value !== 'object' || value === null) {
    if (value !== null) yield { path, value };
    return;
  }
  for (const [key, one] of Object.entries(value)) {
    yield* leaves(one, Array.isArray(value) ? `${path}[${key}]` : path === '' ? key : `${path}.${key}`);
  }
}

/** Everything that a document says, arguments of calls also as a value. */
function* said(value: unknown): Generator<string> {
  for (const leaf of leaves(value)) yield String(leaf.value);
}

const DISCRIMINATORS = /(?:^|\.)type$|^stream(?:_options\.include_usage)?$|\.is_error$|\.role$/;

function openFile(file: string): { opened: OpenedRequest; document: unknown } {
  const [found] = findRequests(readFileSync(`${FOLDER}/${file}.txt`, 'utf8'));
  if (!found) throw new Error('Nothing was found.');
  const opened = openRequest(found, PROVIDER_CATALOG);
  return { opened, document: JSON.parse(openedText(opened, 'c')) };
}

describe.each(CASES)('$file', ({ file, body, reply = false }) => {
  test('is read as it was sent', () => {
    expect(JSON.parse(openFile(file).opened.body)).toEqual(body);
  });

  test('loses nothing without saying so', () => {
    const { opened, document } = openFile(file);
    const there = [...said(document)];
    const lost = [...leaves(body)].filter(({ path, value }) => {
      if (DISCRIMINATORS.test(path)) return false;
      if (path.endsWith('.arguments') && typeof value === 'string') {
        const inner = [...said(JSON.parse(value))];
        return !inner.every((one) => there.includes(one)) && !there.includes(value);
      }
      const isThere =
        typeof value === 'string' ? there.some((one) => one.includes(value)) : there.includes(String(value));
      const pattern = path.replaceAll(/\[\d+\]/g, '[]');
      return (
        !isThere &&
        !opened.leftOut.some((phrase) => {
          const place = /[\w.[\]]+/.exec(phrase.replace('that ', ''))?.[0].replaceAll(/\[\d+\]/g, '[]') ?? '';
          return place.length > 4 && pattern.startsWith(place);
        })
      );
    });
    expect(lost).toEqual([]);
  });

  test(`has ${reply ? 'its' : 'no'} reply`, () => {
    expect(openFile(file).opened.reply !== undefined).toBe(reply);
  });
});

test('there are thirty and more', () => {
  expect(CASES.length).toBeGreaterThanOrEqual(30);
});
