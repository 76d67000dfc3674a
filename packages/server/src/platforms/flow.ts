/** Holds back a platform that writes faster than somebody reads. Neither does harm twice. */
export interface Flow {
  /** What has been read already is told nevertheless; the platform itself may be far ahead. */
  pause(): void;
  resume(): void;
}
