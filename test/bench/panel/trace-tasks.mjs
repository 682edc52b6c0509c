// The longest task of a page by CPU time, which other load of the machine does not increase.

const CONFIG = { includedCategories: ['toplevel'], excludedCategories: ['*'] };
const TASK = 'ThreadControllerImpl::RunTask';

/** @returns a function that ends the trace and returns the CPU time of its longest task, in milliseconds. */
export async function traceTasks(devtools) {
  const events = [];
  const take = ({ value }) => events.push(...value);
  devtools.on('Tracing.dataCollected', take);
  await devtools.send('Tracing.start', { transferMode: 'ReportEvents', traceConfig: CONFIG });
  return async () => {
    const complete = new Promise((resolve) => devtools.once('Tracing.tracingComplete', resolve));
    await devtools.send('Tracing.end');
    await complete;
    devtools.off('Tracing.dataCollected', take);
    const times = busiestMainThread(events);
    if (times.length === 0) throw new Error('the trace has no tasks');
    return times.reduce((most, time) => Math.max(most, time), 0);
  };
}

/** The busiest one, because the browser keeps an idle spare page. */
function busiestMainThread(events) {
  const isMain = ({ name, args }) => name === 'thread_name' && args.name === 'CrRendererMain';
  const threads = events
    .filter(isMain)
    .map(({ pid, tid }) =>
      events
        .filter((event) => event.name === TASK && event.pid === pid && event.tid === tid)
        .map(({ tdur = 0 }) => tdur / 1000),
    );
  const sum = (times) => times.reduce((total, time) => total + time, 0);
  return threads.toSorted((one, other) => sum(other) - sum(one))[0] ?? [];
}
