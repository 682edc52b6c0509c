// What the tests in a plain browser need before the first of them: a Chromium, the built pages, and a folder.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestProject } from 'vitest/node';
import { setUpChromium } from '../../support/browser/chromium.mjs';
import { packageVsix } from '../../support/host/package-vsix.mjs';

declare module 'vitest' {
  interface ProvidedContext {
    /** A folder that is removed after the last test. */
    scratch: string;
  }
}

export async function setup(project: TestProject): Promise<() => void> {
  await Promise.all([setUpChromium(), packageVsix()]);
  const scratch = mkdtempSync(join(tmpdir(), 'browser-'));
  project.provide('scratch', scratch);
  // A browser that is ending may still write its profile.
  return () => rmSync(scratch, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 });
}
