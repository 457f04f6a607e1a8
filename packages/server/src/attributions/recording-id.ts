import type { AttributionId, RecordingId } from '../platform/database/tables.generated.ts';
import { newRowId } from '../platform/ids.ts';

/** Maximum number of rows in one recording. The last sixteen bits of a row's id contain the row's number. */
export const maxRowsOfRecording = 65_536;

/**
 * Generates the id of a recording (one commit): a UUIDv7 whose last sixteen bits are zero. The ids of a
 * recording's rows differ from the recording's id only in these bits. Each row id therefore identifies its
 * recording, and the row ids of a recording form one range.
 */
export const newRecordingId = (): RecordingId => `${newRowId().slice(0, 32)}0000` as RecordingId;

/** @param index the row's position in its commit, 0 … 65,535 */
export const rowIdOf = (recordingId: RecordingId, index: number): AttributionId =>
  (recordingId.slice(0, 32) + index.toString(16).padStart(4, '0')) as AttributionId;

export const lastRowIdOf = (recordingId: RecordingId): AttributionId =>
  rowIdOf(recordingId, maxRowsOfRecording - 1);
