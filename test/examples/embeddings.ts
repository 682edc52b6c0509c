import { LocalHostProvider } from '../../src/library';

const provider = new LocalHostProvider({
  host: 'http://127.0.0.1:11434',
  model: 'qwen3:8b',
  embedModel: 'nomic-embed-text', // most chat models are poor at embeddings
});
const vector = await provider.embed('a lighthouse');
const vectors = await provider.embedMany(['a lighthouse', 'a beacon']); // one request where the server takes several
console.log(vector.length, vectors.length);
