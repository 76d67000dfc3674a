// Runs in the page, before its own scripts: the visible texts, and the truncated ones.
globalThis.pageTexts = (() => {
  const hides = (overflow) => overflow === 'hidden' || overflow === 'clip';
  const scrolls = (overflow) => overflow === 'auto' || overflow === 'scroll';

  function isSeen(element) {
    if (element === null || !element.checkVisibility({ visibilityProperty: true })) return false;
    const { width, height } = element.getBoundingClientRect();
    // A box of one pixel is for screen readers.
    return width > 1 && height > 1;
  }

  function all(selector) {
    return [...document.querySelectorAll(selector)].filter(isSeen);
  }

  function nameOf(element) {
    if (!(element instanceof Element)) return 'the page';
    const role = element.getAttribute('role') ?? element.localName;
    const text = element.getAttribute('aria-label') ?? element.textContent;
    return `${role} "${text.trim().replace(/\s+/g, ' ').slice(0, 50)}"`;
  }

  /** The visible texts, each with its element. */
  function texts(root = document.body) {
    const found = [];
    const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
    for (let node = walker.nextNode(); node !== null; node = walker.nextNode()) {
      const { parentElement } = node;
      if (node.data.trim() === '' || parentElement.closest('script, style, noscript')) continue;
      if (isSeen(parentElement) && !isHiddenBox(parentElement)) found.push([node, parentElement]);
    }
    return found;
  }

  /** Texts for screen readers are in a box of one pixel. */
  function isHiddenBox(element) {
    for (let box = element; box !== document.body && box !== null; box = box.parentElement) {
      const { overflowX, position } = getComputedStyle(box);
      if (position === 'absolute' && hides(overflowX) && box.clientWidth <= 1) return true;
    }
    return false;
  }

  function linesOf(element) {
    const boxes = [];
    for (const [node, parent] of texts(element)) {
      if (parent.closest('option, select')) continue;
      const range = document.createRange();
      range.selectNodeContents(node);
      boxes.push(...range.getClientRects());
    }
    let [lines, bottom] = [0, -Infinity];
    for (const box of boxes.toSorted((a, b) => a.top - b.top)) {
      if (box.width === 0) continue;
      if (box.top >= bottom - 2) lines += 1;
      bottom = Math.max(bottom, box.bottom);
    }
    return lines;
  }

  /** The boxes that truncate the text of an element, and show the full text nowhere. */
  function cutOf(element) {
    const svg = element.closest('svg');
    if (svg !== null) {
      if (svg.closest('[aria-hidden="true"]')) return [];
      const [text, outer] = [element.getBoundingClientRect(), outerSvg(svg)];
      const over = Math.max(text.right - outer.right, outer.left - text.left);
      return over > 1 ? [[element, `${Math.round(over)} px outside its chart`]] : [];
    }
    for (let box = element; box !== document.body && box !== null; box = box.parentElement) {
      const style = getComputedStyle(box);
      if (scrolls(style.overflowX) || scrolls(style.overflowY)) return [];
      const isWide = hides(style.overflowX) && box.scrollWidth > box.clientWidth + 1;
      const isTall = hides(style.overflowY) && box.scrollHeight > box.clientHeight + 2;
      if (!isWide && !isTall) continue;
      const hasMark = style.textOverflow === 'ellipsis' || style.webkitLineClamp !== 'none';
      const isTold = hasMark && box.closest('[title]:not([title=""])') !== null;
      const size = isWide ? `${box.scrollWidth} px` : `${box.scrollHeight} px`;
      const room = isWide ? `${box.clientWidth} px` : `${box.clientHeight} px`;
      return isTold ? [] : [[box, `${size} in ${room}`]];
    }
    return [];
  }

  function outerSvg(svg) {
    let outer = svg;
    while (outer.ownerSVGElement !== null) outer = outer.ownerSVGElement;
    return outer.getBoundingClientRect();
  }

  const timeOfDay = /(?<![\d:.\w])([01]?\d|2[0-3]):[0-5]\d(:[0-5]\d)?(?![\d:\w])/;
  const zone = /\bUTC\b|\bGMT\b|\d:\d\dZ|your time/;

  /** In its own text, in the head of its column, or in the head of its part of the page. */
  function hasZone(element) {
    const own = element.closest('td, th, p, li, dd, dt, figure, label, a, button') ?? element;
    if (zone.test(own.textContent)) return true;
    if (/times are (in )?UTC/i.test(element.closest('main')?.textContent ?? '')) return true;
    const row = element.closest('tr, li');
    if (row !== null && zone.test(row.textContent)) return true;
    const table = element.closest('table');
    const { cellIndex } = element.closest('td, th') ?? {};
    if (zone.test(table?.tHead?.rows[0]?.cells[cellIndex]?.textContent ?? '')) return true;
    if (isAtChart(element)) return true;
    const part = element.closest('section, article, figure, dialog, [role="dialog"], aside, form');
    const heads = part?.querySelectorAll('h1, h2, h3, header, figcaption, caption, p') ?? [];
    if ([...heads].some(({ textContent }) => zone.test(textContent))) return true;
    return zone.test(part?.getAttribute('aria-label') ?? '');
  }

  /** The marks of an axis belong to the chart next to them, whose name has the zone. */
  function isAtChart(element) {
    let box = element.closest('svg, figure, [aria-hidden="true"]');
    for (let steps = 0; box !== null && steps < 3; steps += 1) {
      const charts = [box, ...box.querySelectorAll('[role="img"], figure, figcaption')];
      const names = charts.map((each) => `${each.ariaLabel ?? ''} ${each.textContent}`);
      if (names.some((name) => zone.test(name))) return true;
      box = box.parentElement;
    }
    return false;
  }

  return { all, cutOf, hasZone, linesOf, nameOf, scrolls, texts, timeOfDay };
})();
