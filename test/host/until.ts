// Waits in tests of the extension host.
import assert from 'node:assert/strict';

/** Long enough for a busy machine; it only ends tests that wait in vain. */
const LIMIT_MS = 100_000;
const INTERVAL_MS = 20;

/** @param what Message of the failure, when the condition does not come true. */
export async function until(what: string, holds: () => boolean | Promise<boolean>): Promise<void> {
  const end = Date.now() + LIMIT_MS;
  while (!(await holds())) {
    assert.ok(Date.now() < end, what);
    await new Promise((resolve) => setTimeout(resolve, INTERVAL_MS));
  }
}
