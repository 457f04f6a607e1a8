import type { AttributionId, RecordingId } from '../platform/database/tables.generated.ts';
import { newRowId } from '../platform/ids.ts';

/** Rows that one recording commit may have: what the last sixteen bits of an id can tell apart. */
export const maxRowsOfRecording = 65_536;

/**
 * A recording commit's id: a UUIDv7 whose last sixteen bits are zero. The ids of its rows differ from it in these bits
 * alone, so that a row says which commit recorded it, and a commit finds its rows in one range of ids.
 */
export const newRecordingId = (): RecordingId => `${newRowId().slice(0, 32)}0000` as RecordingId;

/** @param index the row's place in its commit, 0 … 65,535 */
export const rowIdOf = (recordingId: RecordingId, index: number): AttributionId =>
  (recordingId.slice(0, 32) + index.toString(16).padStart(4, '0')) as AttributionId;

/** The highest id that a row of a recording commit may have. */
export const lastRowIdOf = (recordingId: RecordingId): AttributionId =>
  rowIdOf(recordingId, maxRowsOfRecording - 1);
