// Runs in the page, before its own scripts: the clock of a machine with the wrong time.
(() => {
  const shiftMs = location.protocol === 'about:' ? 0 : Number(sessionStorage.getItem('clock'));
  if (shiftMs === 0) return;
  const Right = Date;
  globalThis.Date = class extends Right {
    constructor(...parts) {
      super(...(parts.length === 0 ? [Right.now() + shiftMs] : parts));
    }
    static now() {
      return Right.now() + shiftMs;
    }
  };
})();
