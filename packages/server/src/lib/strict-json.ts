import { bodyLimits } from '@model-gateway/contract';
import { joinPath } from './explain.ts';
import { longNumber } from './json-size.ts';
import { endOfNumber, endOfString } from './json-text.ts';
import type { ValueProblem as Problem } from './json-value.ts';

interface Frame {
  names: string[] | Set<string> | undefined;
  at: string | number;
}

/** Below this count a list is faster than a set; most objects have fewer names. */
const fewNames = 8;

/**
 * Finds mistakes that `JSON.parse` accepts: duplicate names, numbers out of range or too long, lone
 * surrogates, deep nesting. The gateway and the platform might read duplicate names differently.
 */
export function findBreach(text: string): Problem | undefined {
  const frames: Frame[] = [];
  // Most texts have no escape, and that check is faster.
  const mayBeIllFormed = text.includes('\\') && /\\u[dD][89a-fA-F]/.test(text);
  let isNameNext = false;
  for (let index = 0; index < text.length; index++) {
    const code = text.charCodeAt(index);
    switch (code) {
      case openBrace:
      case openBracket: {
        const isObject = code === openBrace;
        frames.push(isObject ? { names: [], at: '' } : { names: undefined, at: 0 });
        if (frames.length > bodyLimits.jsonDepthMax) return tooDeep(frames);
        isNameNext = isObject;
        break;
      }
      case closeBrace:
      case closeBracket:
        frames.pop();
        isNameNext = false;
        break;
      case comma:
        isNameNext = advance(frames.at(-1));
        break;
      case quote: {
        const end = endOfString(text, index);
        const isName = isNameNext;
        isNameNext = false;
        if (isName && !addName(frames.at(-1), text.slice(index, end))) {
          return { path: pathOf(frames), text: 'is given twice' };
        }
        if (mayBeIllFormed && !isWellFormed(text.slice(index, end))) {
          return { path: pathOf(frames), text: illFormed };
        }
        index = end - 1;
        break;
      }
      case colon:
      case blank:
        break;
      default: {
        const end = endOfNumber(text, index);
        if (end - index > bodyLimits.jsonNumberCharactersMax) {
          return { path: pathOf(frames), text: longNumber };
        }
        if (end > index && !Number.isFinite(Number(text.slice(index, end)))) {
          return { path: pathOf(frames), text: 'is too large for a number' };
        }
        index = Math.max(index, end - 1);
      }
    }
  }
  return undefined;
}

const illFormed = 'contains half of a surrogate pair, which is not a valid character';

function tooDeep(frames: readonly Frame[]): Problem {
  const path = pathOf(frames.slice(0, 8));
  return { path, text: `is nested deeper than ${bodyLimits.jsonDepthMax} levels` };
}

function advance(frame: Frame | undefined): boolean {
  if (typeof frame?.at === 'number') frame.at += 1;
  return frame?.names !== undefined;
}

function addName(frame: Frame | undefined, written: string): boolean {
  if (frame?.names === undefined) return true;
  const name = written.includes('\\') ? String(JSON.parse(written)) : written.slice(1, -1);
  frame.at = name;
  const { names } = frame;
  if (!Array.isArray(names)) {
    const before = names.size;
    return names.add(name).size > before;
  }
  if (names.includes(name)) return false;
  if (names.push(name) > fewNames) frame.names = new Set(names);
  return true;
}

/** Raw bytes cannot contain half a pair, so it checks only escapes. */
function isWellFormed(written: string): boolean {
  return !written.includes('\\u') || String(JSON.parse(written)).isWellFormed();
}

function pathOf(frames: readonly Frame[]): string {
  let path = '';
  for (const { at } of frames) path = joinPath(path, at);
  return path;
}

const blank = 0x20;
const quote = 0x22;
const comma = 0x2c;
const colon = 0x3a;
const openBracket = 0x5b;
const closeBracket = 0x5d;
const openBrace = 0x7b;
const closeBrace = 0x7d;
