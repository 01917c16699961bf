// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#include "apps/airampd/server/credentials.hpp"

#include <gmock/gmock.h>
#include <unistd.h>

#include <cstdio>
#include <fstream>
#include <stdexcept>

namespace airamp::sidecar {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;

class CredentialsTest : public testing::Test {
 public:
  ~CredentialsTest() override { std::remove(file_.c_str()); }

 protected:
  const std::string& file(const std::string& text) {
    std::ofstream(file_) << text;
    return file_;
  }

  /// What is wrong with a file of logins.
  std::string complaint(const std::string& text) {
    try {
      Credentials().allow_logins(file(text));
    } catch (const std::runtime_error& error) {
      return error.what();
    }
    return {};
  }

  std::string file_ = testing::TempDir() + "airampd-credentials-" + std::to_string(getpid());
};

TEST_F(CredentialsTest, none_let_everybody_in) {
  EXPECT_TRUE(Credentials().empty());
  for (const char* shown : {"", "Bearer x", "Basic x", "nonsense"}) EXPECT_TRUE(Credentials().allows(shown)) << shown;
}

TEST_F(CredentialsTest, a_token_must_be_the_very_one) {
  Credentials credentials;
  credentials.allow_token(file("s3cret-token\nrest\n"));
  EXPECT_TRUE(credentials.allows("Bearer s3cret-token"));
  EXPECT_TRUE(credentials.allows("bearer s3cret-token")) << "the scheme has no case";
  for (const char* wrong : {"", "Bearer", "Bearer ", "Bearer s3cret-tokeN", "Bearer s3cret-token ", "s3cret-token",
                            "Basic s3cret-token", "Bearer s3cret-tokens", "Bearer rest",
                            // "s3cret-token:" and ":s3cret-token"
                            "Basic czNjcmV0LXRva2VuOg==", "Basic OnMzY3JldC10b2tlbg=="}) {
    EXPECT_FALSE(credentials.allows(wrong)) << wrong;
  }
  EXPECT_THAT(credentials.challenges(), ElementsAre(R"(Bearer realm="airampd")"));
}

TEST_F(CredentialsTest, a_login_is_a_name_with_its_password) {
  Credentials credentials;
  credentials.allow_logins(file("alice:pass:word\r\n\nbob:x\n"));
  // RFC 7617: everything up to the first colon is the name. Encoded by base64(1).
  EXPECT_TRUE(credentials.allows("Basic YWxpY2U6cGFzczp3b3Jk"));
  EXPECT_TRUE(credentials.allows("basic Ym9iOng="));
  for (const char* wrong : {"", "Basic", "Basic ", "Basic =", "Basic ====", "Basic Ym9iOng", "Basic Ym9iOnk=",
                            "Basic Ym9iOng=Ym9iOng=", "Basic \x80\x80\x80\x80", "Bearer Ym9iOng=", "Bearer bob:x",
                            // "bob:", "alice:x", "alice:pass"
                            "Basic Ym9iOg==", "Basic YWxpY2U6eA==", "Basic YWxpY2U6cGFzcw=="}) {
    EXPECT_FALSE(credentials.allows(wrong)) << wrong;
  }
  EXPECT_THAT(credentials.challenges(), ElementsAre(R"(Basic realm="airampd", charset="UTF-8")"));
}

TEST_F(CredentialsTest, files_without_any_are_a_mistake) {
  for (const char* text : {"", "\n", "two words\n"}) {
    EXPECT_THROW(Credentials().allow_token(file(text)), std::runtime_error) << text;
  }
  EXPECT_THROW(Credentials().allow_token(file_ + ".missing"), std::runtime_error);
  EXPECT_THROW(Credentials().allow_logins(file_ + ".missing"), std::runtime_error);
  EXPECT_THAT(complaint("\n"), HasSubstr("has no line USER:PASSWORD"));
}

TEST_F(CredentialsTest, a_wrong_line_is_named_and_not_shown) {
  for (const char* line : {"hunter2", ":hunter2", "hunter2:", "a\tb:hunter2"}) {
    const std::string text = complaint("alice:secret\n" + std::string(line) + "\n");
    EXPECT_THAT(text, HasSubstr(":2 is not USER:PASSWORD")) << line;
    EXPECT_THAT(text, Not(HasSubstr("hunter2"))) << line;
  }
}

}  // namespace
}  // namespace airamp::sidecar
