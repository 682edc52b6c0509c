// The async storage through which custom code finds its call slows down every promise of the process while it is enabled.
import { expect, test, vi } from 'vitest';
import {
  createCallContext,
  currentCall,
  outsideOfCall,
  runInCall,
} from '../../../../src/library/transport/call-context';

const storageSwitches = vi.hoisted((): string[] => []);

vi.mock(import('node:async_hooks'), async (load) => {
  const original = await load();
  class ObservedStorage<T> extends original.AsyncLocalStorage<T> {
    override run<R, Args extends unknown[]>(store: T, work: (...args: Args) => R, ...args: Args): R {
      storageSwitches.push('on');
      return super.run(store, work, ...args);
    }
    override disable(): void {
      storageSwitches.push('off');
      super.disable();
    }
  }
  return { ...original, AsyncLocalStorage: ObservedStorage };
});

test('the storage is enabled from the first custom code to the end of the last, even if it fails', async () => {
  const [first, second] = [createCallContext({}), createCallContext({})];
  let endSecond: () => void = () => undefined;
  const gate = new Promise<void>((resolve) => (endSecond = resolve));
  const failing = runInCall(first, async () => {
    await Promise.resolve();
    expect(currentCall()).toBe(first);
    throw new Error('own');
  });
  const waiting = runInCall(second, async () => {
    await gate;
    return currentCall();
  });
  await expect(failing).rejects.toThrow('own');
  expect(storageSwitches).toEqual(['on', 'on']);
  endSecond();
  expect(await waiting).toBe(second);
  expect(storageSwitches).toEqual(['on', 'on', 'off']);
  expect(currentCall()).toBeUndefined();
});

test('the storage is not enabled by work outside of a call', () => {
  storageSwitches.length = 0;
  expect(outsideOfCall(() => 'done')).toBe('done');
  expect(storageSwitches).toEqual([]);
});
