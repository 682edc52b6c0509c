import { describe, expect, it } from 'vitest';
import { rescueFormatInfo } from '../../../../src/library/rescue/format-info';
import { RESCUE_FORMATS } from '../../../../src/library/rescue/formats/index';

describe('rescueFormatInfo', () => {
  it('says how to get the calls of a format natively from a server', () => {
    expect(rescueFormatInfo('hermes-json')?.nativeHint).toBe(
      'If the server is vLLM, start it with `--tool-call-parser hermes` to get it natively.',
    );
  });

  it.each(RESCUE_FORMATS.map(({ id }) => id))('has a title for %s', (id) => {
    expect(rescueFormatInfo(id)).toMatchObject({ id, title: expect.stringMatching(/\S/) });
  });

  it('returns nothing for unknown ids', () => {
    expect(rescueFormatInfo('toString')).toBeUndefined();
  });
});
