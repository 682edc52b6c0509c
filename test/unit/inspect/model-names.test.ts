import { describe, expect, test } from 'vitest';
import { isKnownChatModel, isKnownEmbedder } from '../../../src/inspect';

describe('isKnownEmbedder', () => {
  test.each([
    'nomic-embed-text:latest',
    'text-embedding-3-small',
    'embeddinggemma',
    'qwen3-embedding:0.6b',
    'all-minilm:l6-v2',
    'bge-m3',
    'BAAI/bge-large-en-v1.5',
    'intfloat/e5-mistral-7b-instruct',
    'snowflake-arctic-embed2',
    'demo-embed',
  ])('recognizes %s', (model) => {
    expect(isKnownEmbedder(model)).toBe(true);
    expect(isKnownChatModel(model)).toBe(false);
  });
});

describe('isKnownChatModel', () => {
  test.each([
    'qwen3:8b',
    'llama3.2',
    'gpt-4o-mini',
    'o3-mini',
    'mistral-nemo',
    'Meta-Llama-3-8B-Instruct',
    'phi4',
  ])('recognizes %s', (model) => {
    expect(isKnownChatModel(model)).toBe(true);
    expect(isKnownEmbedder(model)).toBe(false);
  });

  test.each(['my-model', 'first-look', 'any', 'philosophy-vectors'])(
    'recognizes neither a chat model nor an embedder in %s',
    (model) => {
      expect(isKnownChatModel(model)).toBe(false);
      expect(isKnownEmbedder(model)).toBe(false);
    },
  );
});
