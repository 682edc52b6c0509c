import { describe, expect, test } from 'vitest';
import { toolNameProblem } from '../../../../src/session';

describe('toolNameProblem', () => {
  test.each(['get_weather', 'a', '_', 'Get-Weather2', 'x'.repeat(64)])('accepts %s', (name) => {
    expect(toolNameProblem(name)).toBeUndefined();
  });

  test.each([
    ['', 'The tool has no name, and every server requires one.'],
    ['maps.find', /maps\.find has a dot, which OpenAI and Anthropic refuse/],
    ['maps:find', /has a colon, which OpenAI and Anthropic refuse/],
    ['get weather', /has a space, which OpenAI, Anthropic and Gemini refuse/],
    ['maps/find', /has a slash/],
    ['wetter_für', /has the character ü, which OpenAI, Anthropic and Gemini refuse/],
    ['a😀', /has the character 😀/],
    ['a\n', /has a character that cannot be printed/],
    ['\uD800', /has a character that cannot be printed/],
    ['x'.repeat(65), /has 65 characters, which OpenAI and Gemini refuse: they allow at most 64\.$/],
    ['x'.repeat(129), /OpenAI, Gemini and Anthropic refuse: they allow at most 64 \(Anthropic 128\)\.$/],
    ['2fast', /begins with a digit, which Gemini refuses/],
    ['-fast', /begins with -, which Gemini refuses/],
  ])('names the servers that refuse %j', (name, words) => {
    expect(toolNameProblem(name)).toMatch(words);
    expect(toolNameProblem(name)).toMatch(/^The .*\.$/su);
  });
});
