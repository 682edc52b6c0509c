// One client of one scenario, in this process: opened at once, then asked for step after step, and for its sample.
const [script, job] = process.argv.slice(2);
const { openMeasurement } = await import(script);
const measurement = await openMeasurement(JSON.parse(job));

async function answer(what) {
  process.send((await measurement[what]()) ?? null);
}

process.on('message', (what) => void answer(what));
process.on('disconnect', () => process.exit());
process.send('open');
