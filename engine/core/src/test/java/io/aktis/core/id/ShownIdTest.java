package io.aktis.core.id;

import static org.assertj.core.api.Assertions.assertThat;

import io.aktis.core.id.ShownId.Kind;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ShownIdTest {
  private static final long OWNER = 0x8123_4567_0a1b_2c3dL;

  @Test
  void id_ofEachKind_isReadBackFromItsPrintedForm() {
    TaskId task = TaskId.of(OWNER, 0x1f);

    assertThat(ShownId.parse(task.toString())).isEqualTo(new ShownId(Kind.TASK, "0a1b2c3d", 0x1f));
    assertThat(ShownId.parse(task.result(2).toString()))
        .isEqualTo(new ShownId(Kind.OBJECT, "0a1b2c3d", 0x1f));
    assertThat(ShownId.parse(new ActorId(OWNER, 5).toString()))
        .isEqualTo(new ShownId(Kind.ACTOR, "0a1b2c3d", 5));
    assertThat(ShownId.parse(new GroupId(OWNER, 6).toString()))
        .isEqualTo(new ShownId(Kind.GROUP, "0a1b2c3d", 6));
  }

  @Test
  void owner_isKnownByItsPart() {
    assertThat(ShownId.parse(TaskId.of(OWNER, 1).toString()))
        .matches(id -> id.isOf(OWNER))
        .matches(id -> !id.isOf(OWNER + 1));
    assertThat(ShownId.parse(TaskId.of(3, 1).toString())).matches(id -> id.isOf(3));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "task-7",
        "job-0a1b2c3d-5",
        "task-0a1b2c3d-5.0",
        "task-0a1b2c3d-",
        "task-0a1b2c3d-123456789ab",
        "object-0A1B2C3D-5.0"
      })
  void text_ofAnotherForm_isNoId(String text) {
    assertThat(ShownId.parse(text)).isNull();
  }
}
