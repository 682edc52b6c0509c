import { describe, expect, it } from 'vitest';
import { rescueFormatInfo, rescueFormats } from '../../../../src/library/rescue/format-info';
import { RESCUE_FORMATS } from '../../../../src/library/rescue/formats/index';

describe('rescueFormatInfo', () => {
  it('says how to get the calls of a format natively from a server', () => {
    expect(rescueFormatInfo('hermes-json')?.nativeHints).toEqual([
      {
        server: 'vllm',
        text: 'vLLM: start it with `--enable-auto-tool-choice --tool-call-parser hermes`.',
      },
      { server: 'sglang', text: 'SGLang: start it with `--tool-call-parser hermes`.' },
      {
        server: 'llama-server',
        text: 'llama-server: start it with `--jinja` and the chat template of the model.',
      },
    ]);
  });

  it('names no option without its value, and each server once', () => {
    for (const { id, nativeHints } of rescueFormats()) {
      for (const { text } of nativeHints) expect(text, id).not.toMatch(/(?:parser|mode)`/);
      const servers = nativeHints.flatMap(({ server }) => server ?? []);
      expect(new Set(servers).size, id).toBe(servers.length);
    }
  });

  it.each(RESCUE_FORMATS.map(({ id }) => id))('has a title for %s', (id) => {
    expect(rescueFormatInfo(id)).toMatchObject({ id, title: expect.stringMatching(/\S/) });
  });

  it('returns nothing for unknown ids', () => {
    expect(rescueFormatInfo('toString')).toBeUndefined();
  });
});
