import { Icon } from '../../ui/icons.tsx';
import { t } from '../../ui/text.ts';
import type { ChosenPublisher } from '../publisher.ts';
import classes from './shell.module.css';

interface PublisherChoiceProps {
  publisher: ChosenPublisher | null;
  isPending: boolean;
  onChoose(publisherId: string): void;
}

/** Name of the publisher that the pages are about; a choice if the creator has several. */
export function PublisherChoice({ publisher, isPending, onChoose }: PublisherChoiceProps) {
  if (publisher === null) return <span className={classes.brand}>{isPending ? '' : t('Creators')}</span>;
  const logo = publisher.logoPath !== null && (
    <img className={classes.logo} src={publisher.logoPath} alt="" />
  );
  if (publisher.all.length === 1)
    return (
      <>
        {logo}
        <span className={classes.brand}>{publisher.name}</span>
      </>
    );
  return (
    <>
      {logo}
      <span className={classes.choiceBox}>
        <select
          className={classes.choice}
          aria-label={t('Publisher')}
          value={publisher.publisherId}
          onChange={({ currentTarget }) => onChoose(currentTarget.value)}
        >
          {publisher.all.map(({ publisherId, name }) => (
            <option key={publisherId} value={publisherId}>
              {name}
            </option>
          ))}
        </select>
        <Icon name="down" />
      </span>
    </>
  );
}
