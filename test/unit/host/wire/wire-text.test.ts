import { describe, expect, test } from 'vitest';
import { wireFile } from '../../../../src/host/wire/wire-text';
import type { WireFileName } from '../../../../src/protocol';

function read(body: string, file: WireFileName): string {
  const request = { method: 'POST', url: 'http://localhost/', headers: {}, body };
  const response = { status: 200, headers: {}, body, isComplete: true };
  const sampling = { lane: {}, connection: {}, keys: {}, sent: {}, dropped: [] };
  const attempt = { name: 'attempt-1', request: 0, response };
  const record = {
    connectionId: 'c',
    model: 'm',
    tools: [],
    requests: [request],
    attempts: [attempt],
    sampling,
  };
  return Buffer.from(wireFile(record, attempt, file)).toString();
}

describe('wireFile', () => {
  test('formats the beginning of long JSON, and names the file that has all of it', () => {
    const body = `[${'1,'.repeat(400_000)}1]`;
    expect(read(body, 'response.json')).toHaveLength(
      1_000_000 + '\n// The rest is in response.raw.\n'.length,
    );
    expect(read(body, 'response.json')).toMatch(/^\[\n {2}1,\n[^]*\n\/\/ The rest is in response\.raw\.\n$/);
    expect(read(body, 'request.json')).toContain('// The rest is in request.http.');
    expect(read(body, 'response.raw')).toBe(body);
    expect(read('[1]', 'response.json')).toBe('[\n  1\n]\n');
  });

  test.each([
    ['more than 20,000 events', 'data: 1\n\n'.repeat(20_001), 20_000],
    ['more than 4 million characters', `data: ${'x'.repeat(999_992)}\n\n`.repeat(5), 3],
  ])('prints the beginning of a stream with %s', (_, body, count) => {
    const text = read(body, 'response.events');
    expect(text).toMatch(new RegExp(`^# The first ${count} events\n`));
    expect(text.match(/^# \d+$/gm)).toHaveLength(count);
    expect(text).toMatch(/\n# The rest is in response\.raw\.\n$/);
    expect(read(body.slice(0, 100), 'response.events')).not.toContain('rest');
  });
});

describe('the file of events', () => {
  test('has the name of each event and what it brings above the event as it was received', () => {
    const event = 'event: content_block_delta\ndata: {"type":"content_block_delta","delta":{"text":"Hi"}}';
    expect(read(`${event}\n\nevent: ping\ndata: {}\n\n`, 'response.events')).toBe(
      `# 2 events\n\n# 1 · content_block_delta · "Hi"\n  ${event.replace('\n', '\n  ')}\n\n# 2 · ping\n  event: ping\n  data: {}\n`,
    );
  });
});
