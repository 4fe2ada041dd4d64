package io.aktis.cluster.store;

import static org.assertj.core.api.Assertions.assertThat;

import io.aktis.cluster.store.Tickets.Ticket;
import java.nio.ByteBuffer;
import org.junit.jupiter.api.Test;

/** Who may read what at a data port. */
final class TicketsTest {
  private final Tickets tickets = new Tickets();

  @Test
  void ticket_isGoodOnce_forItsObject() {
    Ticket one = tickets.issue(Daemon.id(1), 0);
    Ticket two = tickets.issue(Daemon.id(2), 0);

    assertThat(tickets.redeem(two, 1)).isEqualTo(Daemon.id(2));
    assertThat(tickets.redeem(one, 1)).isEqualTo(Daemon.id(1));
    assertThat(tickets.redeem(one, 1)).isNull();
  }

  @Test
  void ticket_travelsAsBytes() {
    Ticket ticket = tickets.issue(Daemon.id(1), 0);

    assertThat(ticket.bytes()).hasSize(16);
    assertThat(Ticket.from(ByteBuffer.wrap(ticket.bytes()))).isEqualTo(ticket);
    assertThat(ticket.toString()).doesNotContain(Long.toString(ticket.low()));
  }

  @Test
  void ticket_thatNobodyIssued_isNone() {
    Ticket ticket = tickets.issue(Daemon.id(1), 0);

    assertThat(tickets.redeem(new Ticket(ticket.high(), ticket.low() ^ 1), 1)).isNull();
  }

  @Test
  void ticket_afterItsTime_isNone() {
    Ticket ticket = tickets.issue(Daemon.id(1), -5);
    Ticket later = tickets.issue(Daemon.id(2), 0);

    assertThat(tickets.redeem(ticket, Tickets.LIFE_NS - 5)).isNull();
    assertThat(tickets.redeem(later, Tickets.LIFE_NS - 1)).isEqualTo(Daemon.id(2));
  }

  @Test
  void tickets_thatNobodyUses_areForgotten_theOldestFirst() {
    Ticket oldest = tickets.issue(Daemon.id(1), 0);
    Ticket second = tickets.issue(Daemon.id(2), 0);
    for (int i = 2; i <= Tickets.MAX_OPEN; i++) {
      tickets.issue(Daemon.id(3), 0);
    }

    assertThat(tickets.redeem(oldest, 1)).isNull();
    assertThat(tickets.redeem(second, 1)).isEqualTo(Daemon.id(2));
  }
}
