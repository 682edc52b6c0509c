import { expect, describe, test } from 'vitest';
import { readEvents, utf8Length } from '../../../../src/inspect';
import { computedMsSince } from '../../../support/computed-ms';
import { fc, runs } from '../../../support/arbitrary/properties';

describe('readEvents', () => {
  test('reads server-sent events with any line ends, each with the arrival time of its last byte', () => {
    const text = ': hello\r\n\r\ndata: {"a":"é"}\n\nevent: x\ndata: 2\n\n\ndata: [DO';
    const bytes = (part: string): number => utf8Length(text.slice(0, text.indexOf(part) + part.length));
    const arrivals = [
      bytes('hello\r\n'),
      5,
      bytes('{"a":"é"}'),
      20,
      bytes('data: 2\n\n'),
      31,
      utf8Length(text),
      40,
    ];
    expect(readEvents(text, 'events', arrivals)).toEqual([
      { text: ': hello', afterMs: 20 },
      { text: 'data: {"a":"é"}', afterMs: 31 },
      { text: 'event: x\ndata: 2', afterMs: 31 },
      { text: 'data: [DO', afterMs: 40 },
    ]);
  });

  test('stops after a number of events', () => {
    const text = 'data: 1\n\n'.repeat(5);
    expect(readEvents(text, 'events', undefined, 3)).toHaveLength(3);
    expect(readEvents(text, 'events', undefined, 9)).toHaveLength(5);
  });

  test('reads one document per line, without times if there are none', () => {
    expect(readEvents('{"a":1}\n\n{"a":2}\r\n{"a":', 'lines', undefined)).toEqual([
      { text: '{"a":1}' },
      { text: '{"a":2}' },
      { text: '{"a":' },
    ]);
    expect(readEvents('', 'lines', [])).toEqual([]);
  });

  test('takes linear time for any line ends', () => {
    const hostile = `x${'\r'.repeat(400_000)}x`;
    const start = process.cpuUsage();
    expect(readEvents(`${hostile}\n`, 'lines', undefined)).toEqual([{ text: hostile }]);
    expect(computedMsSince(start)).toBeLessThan(3_000);
  });

  test('drops only line ends and white space, and times never decrease', () => {
    fc.assert(
      fc.property(
        fc.array(fc.constantFrom('data: {}', 'ü🌦', '\n', '\r\n', '\r', ' ', ':')),
        fc.array(fc.nat(50)),
        (parts, steps) => {
          const text = parts.join('');
          const total = utf8Length(text);
          const arrivals = steps.flatMap((step, index) => [
            Math.min(total, (index + 1) * 3),
            index * 10 + step / 50,
          ]);
          for (const kind of ['events', 'lines'] as const) {
            const events = readEvents(text, kind, [...arrivals, total, 10_000]);
            expect(
              events
                .map((event) => event.text)
                .join('')
                .replaceAll(/\s/g, ''),
            ).toBe(text.replaceAll(/\s/g, ''));
            const times = events.map(({ afterMs }) => afterMs ?? -1);
            expect(times).toEqual(times.toSorted((one, other) => one - other));
          }
        },
      ),
      { numRuns: runs(2_000) },
    );
  });
});

test('utf8Length equals the length of the encoded text', () => {
  for (const text of ['', 'a', 'é', '€', '🌦️', 'a🌦b\u07ff\u0800']) {
    expect(utf8Length(text)).toBe(Buffer.byteLength(text));
  }
});
