import type { Book } from './book.ts';
import { correct } from './correct.ts';
import { expire } from './expire.ts';
import { extend } from './extend.ts';
import type { Operation, Outcome } from './operations.ts';
import { reprice } from './reprice.ts';
import { reserve } from './reserve.ts';
import { settle } from './settle.ts';
import { topUp } from './top-up.ts';
import { collect, release } from './unclaimed.ts';

/**
 * Pure but for the book: knows neither SQL nor clocks. Throws only on a broken promise, such as
 * other arguments for a settled call, and has then changed nothing.
 */
export function decide(book: Book, operation: Operation): Outcome {
  switch (operation.kind) {
    case 'reserve':
      return reserve(book, operation);
    case 'extend':
      return extend(book, operation);
    case 'settle':
      return settle(book, operation);
    case 'expire':
      return expire(book, operation);
    case 'collect':
      return collect(book, operation);
    case 'release':
      return release(book, operation);
    case 'correct':
      return correct(book, operation);
    case 'reprice':
      return reprice(book, operation);
    case 'top-up':
      return topUp(book, operation);
  }
}
