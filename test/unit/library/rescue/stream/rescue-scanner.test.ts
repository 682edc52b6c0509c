import { describe, expect, it } from 'vitest';
import { rescueToolCalls } from '../../../../../src/library/rescue/rescue-tool-calls';
import { RescueScanner } from '../../../../../src/library/rescue/stream/rescue-scanner';
import { GHENT, OSLO, tag, toPlain, toolsOf, WEATHER } from '../rescue-fixtures';

const PROSE = 'It goes on with words, and then with more of them, for a whole line at least. ';
const LONG = PROSE.repeat(12);

const byCharacter = (scanner: RescueScanner, text: string): string[] =>
  Array.from(text).map((chunk) => scanner.feed(chunk));

/** Returns what is emitted of the text, what is left at the end, and the calls. */
function stream(text: string, tools = WEATHER): { given: string; rest: string; calls: object[] } {
  const scanner = new RescueScanner(tools);
  const given = byCharacter(scanner, text).join('');
  const { report, rest } = scanner.finish();
  return { given, rest, calls: report.calls.map(toPlain) };
}

const CALLED_GHENT = { name: 'get_weather', arguments: { city: 'Ghent' } };

describe('RescueScanner', () => {
  it('emits prose as it arrives', () => {
    const scanner = new RescueScanner(WEATHER);
    expect(scanner.feed('It is sunny in Ghent, ')).toBe('It is sunny in Ghent, ');
    expect(scanner.feed('I th')).toBe('I th');
    expect(scanner.finish().rest).toBe('');
  });

  it('holds back the possible beginning of an opener, and emits it when no opener follows', () => {
    const scanner = new RescueScanner(WEATHER);
    expect(scanner.feed('a <tool')).toBe('a ');
    expect(scanner.feed('ing> b')).toBe('<tooling> b');
  });

  it.each(['<think>', '[THINK]', '<|open|>think<|sep|>'])(
    'emits reasoning after %j as it arrives',
    (opener) => {
      const scanner = new RescueScanner(WEATHER);
      const given = byCharacter(scanner, opener + LONG).join('');
      expect(given.length).toBeGreaterThan(LONG.length / 2);
    },
  );

  it('never emits a call with a marker, and emits the text before and after it', () => {
    const { given, rest, calls } = stream(`Let me look.\n${tag(GHENT)}\n${LONG}`);
    expect(calls).toEqual([CALLED_GHENT]);
    expect(given + rest).toBe(`Let me look.\n\n${LONG}`);
    // before the reply has ended
    expect(given.length).toBeGreaterThan(LONG.length / 2);
  });

  it('holds back a call until it is closed, however long it is', () => {
    const scanner = new RescueScanner(toolsOf('coding'));
    const call = {
      name: 'write_file',
      arguments: { path: 'a.ts', content: 'x = "<b>" // {\n'.repeat(8000) },
    };
    const given = `Here: ${tag(JSON.stringify(call))}`
      .match(/[^]{1,64}/g)
      ?.map((chunk) => scanner.feed(chunk));
    expect(given?.join('')).toBe('Here: ');
    expect(scanner.finish().report.calls.map(toPlain)).toEqual([call]);
  });

  it('emits an opener that is only mentioned, and the text around it', () => {
    const text = `Write the call between <tool_call> and its closing tag. ${LONG}`;
    const { given, rest, calls } = stream(text);
    expect(calls).toEqual([]);
    expect(given + rest).toBe(text);
    expect(given.length).toBeGreaterThan(LONG.length / 2);
  });

  it('emits the call of a tool that is not offered', () => {
    const text = `${tag('{"name": "other", "arguments": {}}')}\n${LONG}`;
    const { given, rest } = stream(text);
    expect(given + rest).toBe(text);
    expect(given.length).toBeGreaterThan(LONG.length / 2);
  });

  it('emits a fence of a programming language at once', () => {
    const text = `Like this:\n\n\`\`\`ts\nconst call = '${tag(GHENT)}';\n${LONG}\n\`\`\`\n`;
    const { given, rest, calls } = stream(text);
    expect(calls).toEqual([]);
    expect(given + rest).toBe(text);
    expect(given.length).toBeGreaterThan(LONG.length / 2);
  });

  it('holds back JSON that may be a call, and emits it when more text follows', () => {
    const scanner = new RescueScanner(WEATHER);
    expect(byCharacter(scanner, `Well:\n${GHENT}`).join('')).toBe('Well:\n');
    expect(scanner.feed(`\n${LONG}`)).toContain(GHENT);
    expect(scanner.finish().report.calls).toEqual([]);
  });

  it('holds back JSON at the end of the reply, and returns the call', () => {
    const { given, rest, calls } = stream(`Well:\n${GHENT}`);
    expect([given, rest]).toEqual(['Well:\n', '']);
    expect(calls).toEqual([CALLED_GHENT]);
  });

  it('emits a call without a marker after 64 KiB, although it may still turn out to be one', () => {
    const scanner = new RescueScanner(toolsOf('coding'));
    const call = { name: 'write_file', arguments: { path: 'a', content: 'word '.repeat(40_000) } };
    const given = JSON.stringify(call)
      .match(/.{1,512}/g)
      ?.map((chunk) => scanner.feed(chunk))
      .join('');
    expect(given?.length).toBeGreaterThan(64 * 1024);
    const { report, rest } = scanner.finish();
    expect(report.calls.map(toPlain)).toEqual([call]);
    expect((given ?? '') + rest).toContain('"write_file"');
  });

  it('emits reasoning as text, and returns it apart in the report', () => {
    const text = `<think>First ${LONG}</think>\nSo: ${PROSE}`;
    const scanner = new RescueScanner(WEATHER);
    const given = byCharacter(scanner, text).join('');
    const { report, rest } = scanner.finish();
    expect(given + rest).toBe(text);
    expect(report.reasoning).toContain('First');
    expect(report.content).toBe(`So: ${PROSE}`.trim());
  });

  it('finds no call in reasoning, and emits the text of one there once the reasoning closes', () => {
    const text = `<think>Maybe ${tag(GHENT)} it is.</think>\n${LONG}`;
    const { given, rest, calls } = stream(text);
    expect(calls).toEqual([]);
    expect(given + rest).toBe(text);
    expect(given.length).toBeGreaterThan(LONG.length / 2);
  });

  it('emits a call in reasoning in its place when a blank precedes the header of the reasoning', () => {
    const reasoning = ` to=self<|message|>I could write ${tag(GHENT)} here<|eom|>`;
    const text = `${reasoning}<|start|>assistant to=user<|message|>No need.<|eot|>\n${PROSE.repeat(6)}`;
    const scanner = new RescueScanner(WEATHER);
    const given = (text.match(/[^]{1,7}/g) ?? []).map((chunk) => scanner.feed(chunk)).join('');
    expect(given + scanner.finish().rest).toBe(text);
  });

  it('returns a call that turns out to be reasoning with the rest, so that no text is lost', () => {
    const { given, rest, calls } = stream(`${tag(GHENT)}\n${LONG}\n</think>\nDone. ${LONG}`);
    expect(calls).toEqual([]);
    expect(given).not.toContain('get_weather');
    expect(rest).toContain(tag(GHENT));
  });

  it('does not split a surrogate pair', () => {
    const scanner = new RescueScanner(WEATHER);
    expect(scanner.feed('a \ud83d')).toBe('a ');
    expect(scanner.feed('\ude00')).toBe('😀');
  });

  it('emits everything at once when no tool is offered', () => {
    const scanner = new RescueScanner([]);
    expect(scanner.feed(tag(GHENT))).toBe(tag(GHENT));
    expect(scanner.finish()).toMatchObject({ rest: '', report: { calls: [] } });
  });

  it('emits everything of a text beyond 8 MiB, which is not searched for calls', () => {
    const scanner = new RescueScanner(WEATHER);
    const given = [scanner.feed(tag(GHENT)), scanner.feed('x'.repeat(8 * 1024 * 1024))].join('');
    const { report, rest } = scanner.finish();
    expect(report.calls).toEqual([]);
    expect(given.length + rest.length).toBe(tag(GHENT).length + 8 * 1024 * 1024);
  });

  it('follows the finish reason and the formats as rescueToolCalls does', () => {
    const cut = `${tag(GHENT)}\n<tool_call>${OSLO}`;
    for (const finishReason of [undefined, 'length']) {
      const scanner = new RescueScanner(WEATHER);
      scanner.feed(cut);
      const wanted = rescueToolCalls(cut, WEATHER, { finishReason }).calls.map(toPlain);
      expect(scanner.finish({ finishReason }).report.calls.map(toPlain)).toEqual(wanted);
    }
    const other = new RescueScanner(WEATHER, { formats: ['yaml'] });
    expect(other.feed(`${tag(GHENT)} `) + other.finish().rest).toBe(`${tag(GHENT)} `);
  });

  it('returns the same result when finished twice, and accepts no text after that', () => {
    const scanner = new RescueScanner(WEATHER);
    scanner.feed(GHENT);
    expect(scanner.finish()).toBe(scanner.finish());
    expect(() => scanner.feed('more')).toThrow(/after finish/);
  });
});
