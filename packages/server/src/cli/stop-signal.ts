import process from 'node:process';

/** The first SIGTERM or SIGINT; a second one ends the process at once, with nothing lost. */
export function stopSignal(): Promise<void> {
  return new Promise((resolve) => {
    let signals = 0;
    const onSignal = () => {
      signals += 1;
      if (signals > 1) process.exit(1);
      resolve();
    };
    process.on('SIGTERM', onSignal);
    process.on('SIGINT', onSignal);
  });
}
