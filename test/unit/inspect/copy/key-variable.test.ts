import { expect, test } from 'vitest';
import { keyVariable } from '../../../../src/inspect/copy/key-variable';

test.each([
  ['my-groq-2', 'MY_GROQ_2_API_KEY'],
  ['llama-server', 'LLAMA_SERVER_API_KEY'],
  ['gpu-box-lan-8000', 'GPU_BOX_LAN_8000_API_KEY'],
  ['module:a/b', 'MODULE_A_B_API_KEY'],
  ['127-0-0-1-8080', 'SERVER_API_KEY'],
  ['3090', 'SERVER_API_KEY'],
  ['2nd-box', 'BOX_API_KEY'],
  ['…', 'SERVER_API_KEY'],
])('the key of the connection %s is read from %s, a name that every shell takes', (id, name) => {
  expect(keyVariable(id)).toBe(name);
  expect(name).toMatch(/^[A-Z][A-Z0-9_]*$/);
});
