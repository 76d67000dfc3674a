/** A text to count, and its name in the report. */
export interface Sample {
  readonly name: string;
  readonly text: string;
}

const repeats = 8;

/** Every assigned code point, each repeated until the beginning of the text has no weight. */
export function* everyCodePoint(): Generator<Sample> {
  for (let point = 1; point <= 0x10ffff; point++) {
    const isSurrogate = point >= 0xd800 && point <= 0xdfff;
    const text = isSurrogate ? '' : String.fromCodePoint(point);
    // Unassigned code points and private ones have no form.
    if (isSurrogate || /[\p{Cn}\p{Co}]/u.test(text)) continue;
    yield { name: `U+${point.toString(16)}`, text: text.repeat(repeats) };
  }
}

/** Texts that were made to have the maximum of tokens. */
export function adversarial(): readonly Sample[] {
  const marks = String.fromCodePoint(...Array.from({ length: 0x70 }, (_, index) => 0x300 + index));
  const random = createRandom(20_261_122);
  const growing = ['\u0f76', '\ufdfa', '\u0958', '\u1f82', '\ufb2c', '\u2adc', '\u3300', '\u33ff'];
  return [
    { name: 'U+0F76, the worst of NFC', text: '\u0f76'.repeat(2_000) },
    { name: 'U+FDFA, the worst of NFKC', text: '\ufdfa'.repeat(2_000) },
    { name: 'growing characters in turn', text: growing.join('').repeat(300) },
    { name: 'growing characters apart', text: growing.join(' ').repeat(300) },
    { name: 'a letter under many marks', text: `a${marks}`.repeat(20) },
    { name: 'marks in the wrong order', text: `a${[...marks].reverse().join('')}`.repeat(20) },
    { name: 'jamos that compose', text: '\u1112\u1161\u11ab'.repeat(700) },
    { name: 'syllables and a jamo more', text: '\ud558\u11ab'.repeat(700) },
    { name: 'halves of width', text: '\uff76\uff9e\uffc1\uffda'.repeat(500) },
    { name: 'mathematical letters', text: '\u{1d400}\u{1d5a8}\u{1d7d8}'.repeat(500) },
    { name: 'control characters', text: '\u0001\u0002\u001f\u007f\u0085'.repeat(400) },
    { name: 'digits', text: '0123456789'.repeat(300) },
    { name: 'spaces and line ends', text: ' \t\n\r\u00a0\u2003'.repeat(300) },
    { name: 'emoji with joiners', text: '👩🏽‍🚀🏴‍☠️👨‍👩‍👧‍👦'.repeat(100) },
    ...Array.from({ length: 200 }, (_, index) => ({
      name: `random text ${index}`,
      text: randomText(random),
    })),
  ];
}

/** Code points of all planes with letters; an unpaired surrogate is not a character. */
function randomText(random: () => number): string {
  const points = Array.from({ length: 400 }, () => {
    const max = [0x7f, 0x24f, 0xffff, 0x1ffff][Math.floor(random() * 4)] ?? 0x7f;
    const point = Math.floor(random() * max) + 1;
    return point >= 0xd800 && point <= 0xdfff ? 0x41 : point;
  });
  return String.fromCodePoint(...points);
}

/** The same numbers in every run. Source: Park and Miller, 1988. */
function createRandom(seed: number): () => number {
  let state = seed % 2_147_483_647;
  return () => {
    state = (state * 48_271) % 2_147_483_647;
    return state / 2_147_483_647;
  };
}
