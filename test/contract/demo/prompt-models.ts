// The scripted models that answer the first attempt, whole and at once.
import { DEMO_MODELS } from '../../../src/demo';

const OTHERS = ['first-look', 'rate-limited', 'unavailable', 'slow', 'hangs', 'cut-off', 'demo-embed'];

export const PROMPT_MODELS: readonly string[] = DEMO_MODELS.filter((name) => !OTHERS.includes(name));
