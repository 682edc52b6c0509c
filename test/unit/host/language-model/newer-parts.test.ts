// Parts of a reply in an editor that has them, and in one that does not.
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { thinkingPart, usagePart } from '../../../../src/host/language-model/newer-parts';

const editor = vi.hoisted(() => ({
  LanguageModelDataPart: undefined as unknown,
  LanguageModelThinkingPart: undefined as unknown,
}));

vi.mock('vscode', () => editor);

class DataPart {
  readonly data: Uint8Array;
  readonly mimeType: string;

  constructor(data: Uint8Array, mimeType: string) {
    this.data = data;
    this.mimeType = mimeType;
  }
}

class ThinkingPart {
  readonly value: string;

  constructor(value: string) {
    this.value = value;
  }
}

beforeEach(() => {
  editor.LanguageModelDataPart = undefined;
  editor.LanguageModelThinkingPart = undefined;
});

describe('thinkingPart', () => {
  it('is a part of thinking where the editor has such parts, and nothing where it has none', () => {
    expect(thinkingPart('Oslo is cold.')).toBeUndefined();
    editor.LanguageModelThinkingPart = ThinkingPart;
    expect(thinkingPart('Oslo is cold.')).toEqual(new ThinkingPart('Oslo is cold.'));
  });
});

describe('usagePart', () => {
  it('is data that the chat reads where the editor has such parts, and nothing where it has none', () => {
    const usage = { prompt_tokens: 10, completion_tokens: 5 };
    expect(usagePart(usage)).toBeUndefined();
    editor.LanguageModelDataPart = DataPart;
    const part = usagePart(usage) as unknown as DataPart;
    expect(part.mimeType).toBe('usage');
    expect(JSON.parse(new TextDecoder().decode(part.data))).toEqual(usage);
  });
});
