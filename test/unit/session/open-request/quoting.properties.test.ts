// Whatever a text has, it comes back from every form in which a request is copied; and no text at all breaks the readers.
import { describe, expect, test } from 'vitest';
import type { CopyForm } from '../../../../src/inspect';
import { copyAs } from '../../../../src/inspect';
import { PROVIDER_CATALOG } from '../../../../src/library';
import { findRequests, openRequest, UnreadRequest } from '../../../../src/session/open-request';
import { fc } from '../../../support/arbitrary/properties';
import { leastComputedMs } from '../../../support/computed-ms';

/** Characters that shells, code and JSON treat in a way of their own, among any others. */
const special = fc.constantFrom(
  ...Array.from(`'"\`$\\%^!&|<>#@{}()[];:=,\n\r\t \u2018\u201c\u2028`),
  'EOF',
  'curl ',
  "'''",
);
const text = fc
  .array(fc.oneof({ weight: 3, arbitrary: special }, fc.string({ unit: 'binary', maxLength: 3 })), {
    maxLength: 20,
  })
  .map((parts) => parts.join('').replaceAll(/[\ud800-\udfff]/g, ''));

const FORMS: readonly CopyForm[] = ['bash', 'powershell', 'fetch', 'python', 'openai', 'provider'];

describe('findRequests', () => {
  test.each(FORMS)('reads any text back from %s', (form) => {
    fc.assert(
      fc.property(text, text, (content, header) => {
        const request = {
          method: 'POST',
          url: 'https://host.example/v1/chat/completions',
          headers: {
            'content-type': 'application/json',
            'x-title': header.replaceAll(/[^\x20-\x7e]/g, '').trim(),
          },
          body: JSON.stringify({ model: 'm', messages: [{ role: 'user', content }] }),
        };
        const copied = copyAs(form, request, { variable: 'KEY', sent: {}, catalog: PROVIDER_CATALOG });
        const [found] = findRequests(copied?.text ?? '');
        const opened = found && openRequest(found, PROVIDER_CATALOG);
        expect(opened?.neutral.messages).toEqual([{ role: 'user', content }]);
      }),
    );
  });

  test('gives requests for any text, or says why there are none', () => {
    const fragments = fc.constantFrom(
      'curl ',
      '-d ',
      '--data-raw ',
      "$'",
      '^\n',
      '`\n',
      '<<EOF\n',
      'fetch(',
      'POST /v1/chat/completions HTTP/1.1\n',
      '{"messages":[',
      '{"role":"user","content":"hi"}',
      ']}',
      'Invoke-WebRequest -Body ',
      'HTTP/1.1 200 OK\n\n',
      '{"resourceSpans":[',
      '{"run_type":"llm","inputs":{',
      '"""',
    );
    const broken = fc.array(fc.oneof(fragments, text), { maxLength: 12 }).map((parts) => parts.join(''));
    fc.assert(
      fc.property(broken, (source) => {
        try {
          for (const found of findRequests(source)) openRequest(found, PROVIDER_CATALOG);
        } catch (error) {
          expect(error).toBeInstanceOf(UnreadRequest);
        }
      }),
    );
  });

  test.each([
    '{"a":',
    '[',
    '{',
    "curl '",
    'fetch(`${',
    '{"messages":[{"role":"user","content":"',
    "f('",
    '$(',
    '<<E\n',
  ])('takes time in proportion to a text that repeats %s', (part) => {
    const time = (length: number): number => {
      const source = part.repeat(Math.ceil(length / part.length));
      return leastComputedMs(() => {
        try {
          findRequests(source);
        } catch (error) {
          expect(error).toBeInstanceOf(UnreadRequest);
        }
      });
    };
    time(10_000);
    // 16 times the length; a quadratic reader would need 256 times the time, which here are many seconds.
    expect(time(320_000)).toBeLessThan(Math.max(20, time(20_000)) * 80);
  });
});
